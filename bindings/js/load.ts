import createModule, { type Module } from "posenc-module";
import bytes from "posenc-module.wasm";

/** Compiles and starts the module. A failure rejects: the glue alone would wait for ever. */
export function startModule(): Promise<Module> {
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(bytes, imports).then(({ instance }) => receive(instance), reject);
        return {};
      },
    }).then(resolve, reject);
  });
}
