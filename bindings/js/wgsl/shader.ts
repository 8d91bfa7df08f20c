// What the shaders have in common: the lines of WGSL that find an invocation's index, and how many groups are started.

import { count, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { Shader, ShaderBinding } from "../types/wgsl.js";

/** Invocations of a group: every WebGPU device has 256 or more. */
const group = 64;
/** The most groups of one dimension that every device can start. */
const mostGroups = 65_535;

/** WGSL takes a number with a point or an exponent as one with a fraction. */
export const float = (value: number): string => `${/[.e]/.test(`${value}`) ? value : `${value}.0`}f`;

const declared = ({ binding, name, type }: ShaderBinding, of: string): string => {
  const access = { storage: "<storage, read_write>", "read-only-storage": "<storage, read>", uniform: "<uniform>" }[
    type
  ];
  return `@group(0) @binding(${binding}) var${access} ${name}: ${of};`;
};

/** A buffer, and its type in WGSL. */
export type Buffer = Omit<ShaderBinding, "binding"> & { readonly of: string };

/** The parts that a kind of shader has of its own. */
interface Parts {
  readonly entryPoint: string;
  readonly comment: string;
  /** Names of the sizes in the uniform buffer, in its order. */
  readonly sizes: readonly string[];
  /** Names of the signed numbers behind them. */
  readonly offsets?: readonly string[];
  readonly buffers: readonly Buffer[];
  /** How many invocations there are, as WGSL and as a function of the sizes. */
  readonly invocations: string;
  readonly invocationsOf: (...sizes: number[]) => number;
  readonly functions: string;
  /** The statements for invocation `index`. */
  readonly body: string;
}

const indented = (lines: string): string => lines.replace(/^(?=.)/gm, "  ");

export function shader(parts: Parts): Shader {
  const { entryPoint, comment, sizes, offsets = [], buffers, invocations, invocationsOf, functions, body } = parts;
  const all = [...sizes, ...offsets];
  const uniform: Buffer = { name: "sizes", type: "uniform", of: "Sizes", holds: `${all.join(", ")}: 32 bits each` };
  const bound = [...buffers, uniform].map((buffer, binding) => ({ ...buffer, binding }));
  const members = [...sizes.map((name) => `${name}: u32`), ...offsets.map((name) => `${name}: i32`)];
  const code = `${comment.replace(/^/gm, "// ")}

struct Sizes { ${members.join(", ")} }

${bound.map((buffer) => declared(buffer, buffer.of)).join("\n")}

${functions}
@compute @workgroup_size(${group})
fn ${entryPoint}(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.x + id.y * groups.x * ${group}u;
  if (index >= ${invocations}) { return; }
${indented(body)}
}
`;
  return {
    code,
    entryPoint,
    bindings: bound.map(({ of: _, ...binding }) => binding),
    workgroups(...given) {
      for (const [i, name] of sizes.entries()) count(name, given[i]);
      const groups = Math.ceil(invocationsOf(...given) / group);
      const x = Math.min(groups, mostGroups);
      const y = x === 0 ? 0 : Math.ceil(groups / x);
      // Indices have 32 bits.
      if (x * y * group > 2 ** 32)
        throw wrongValue(sizes.join(" * "), groups * group, expected.from_to, {
          least: 0,
          most: 2 ** 32 - mostGroups * group,
        });
      return [x, y];
    },
  };
}
