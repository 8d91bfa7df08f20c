// The code of the guide and of the README as a stranger's TypeScript: a file a block, as it stands on its page.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../bindings/setup/paths.mjs";
import { blocksOf, names, textOf } from "../api/guide/pages.mjs";

/** What pages have around their code: libraries of which a block needs one name, and what notebooks and pages define. */
const SURROUNDINGS = `declare module "@huggingface/transformers" {
  export class Tensor {
    constructor(type: "float32" | "float16", data: Float32Array | Uint16Array, dims: readonly number[]);
    dims: number[];
    data: Float32Array | Uint16Array;
  }
}
declare module "npm:posenc" {
  export * from "posenc";
}
declare module "https://cdn.jsdelivr.net/npm/posenc/+esm" {
  export * from "posenc";
}
declare function display(shown: unknown): void;
declare const Plot: { plot(options: object): unknown; raster(values: ArrayLike<number>, options: object): unknown };
declare const Deno: { jupyter: { display(shown: unknown): Promise<void>; html: (parts: TemplateStringsArray, ...values: unknown[]) => unknown } };
declare const GPUBufferUsage: { readonly [use: string]: number };
declare const GPUMapMode: { readonly READ: number };
interface Window {
  pe: import("posenc").Posenc;
}
`;

/** Files by their names; those that are programs. */
export function guideFiles() {
  const texts = [
    ...names.map((name) => [name, textOf(name)]),
    ["project", readFileSync(join(root, "README.md"), "utf8")],
  ];
  const programs = texts.flatMap(([name, text]) =>
    blocksOf(text).flatMap(({ language, code }, i) =>
      /^[jt]s$/.test(language) ? [[`guide-${name}-${i}.mts`, `${code}export {};\n`]] : [],
    ),
  );
  return Object.fromEntries([["surroundings.d.ts", SURROUNDINGS], ...programs]);
}
