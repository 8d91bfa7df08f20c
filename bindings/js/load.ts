import createModule, { type FullModule } from "posenc-module";
import bytes from "posenc-module.wasm";

/** Compiles and starts the module of this entry. A failure rejects: the glue alone would wait for ever. */
function startModule(): Promise<FullModule> {
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(bytes, imports).then(({ instance }) => receive(instance), reject);
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
