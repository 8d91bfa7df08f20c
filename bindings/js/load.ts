import createModule, { type FullModule } from "posenc-module";
import bytes from "posenc-module.wasm";

/** A function of one vector instruction. */
const vectors = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** The wasm that this engine can run. */
const suitable = async () =>
  WebAssembly.validate(vectors) ? bytes : (await import("posenc-module-scalar.wasm")).default;

/** Compiles and starts the module of this entry. A failure rejects: the glue alone would wait for ever. */
function startModule(): Promise<FullModule> {
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        suitable()
          .then((wasm) => WebAssembly.instantiate(wasm, imports))
          .then(({ instance }) => receive(instance))
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

/** An entry's `load`: the module is started once, later calls give the same promise; a failed start may be repeated. */
export function loader<T>(onModule: (module: FullModule) => T): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= startModule().then(onModule);
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
}
