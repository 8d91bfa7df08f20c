// A checkpoint as a .safetensors file, with the options of its training.

import { isObject } from "../base/check.js";
import { safetensorsIn } from "../files/safetensors-bytes.js";
import { wrongFile } from "../files/section.js";
import { toSafetensors, type Writable } from "../files/to-safetensors.js";
import type * as t from "../types/index.js";

/** The file's name in messages. */
const file = "checkpoint";

const prefixes = { values: "", firstMoments: "first_moments.", secondMoments: "second_moments." } as const;
const arrays = Object.keys(prefixes) as (keyof typeof prefixes)[];

/** FNV-1a of a text's UTF-16 units: enough to tell one text from another that was taken for it. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The options as they are stored, with a text's length and hash in place of the text. */
function storedOptions({ task, ...others }: t.CompleteTrainingOptions): object {
  const { text, ...rest } = task;
  return { task: text === undefined ? rest : { ...rest, text: `${text.length}, ${hashOf(text)}` }, ...others };
}

/** The path of the first difference between two values of JSON. */
function difference(given: unknown, own: unknown, path: string): { path: string; given: unknown; own: unknown } | null {
  if (!isObject(given) || !isObject(own)) return Object.is(given, own) ? null : { path, given, own };
  const [all, wanted] = [new Map(Object.entries(given)), new Map(Object.entries(own))];
  for (const key of new Set([...wanted.keys(), ...all.keys()])) {
    const found = difference(all.get(key), wanted.get(key), `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function sizeOf({ shape: [rows, columns] }: t.TrainingParameter): number {
  return rows * columns;
}

export function checkpointFile({ options, parameters }: t.TrainingFacts, checkpoint: t.Checkpoint) {
  const tensors: { [name: string]: Writable } = {};
  for (const array of arrays)
    for (const parameter of parameters) {
      const { name, shape, offset } = parameter;
      const data = checkpoint[array].subarray(offset, offset + sizeOf(parameter));
      tensors[prefixes[array] + name] = { data, shape };
    }
  return toSafetensors(tensors, { step: `${checkpoint.step}`, options: JSON.stringify(storedOptions(options)) });
}

/** Reads the checkpoint of a file; throws a RangeError that names what differs from this training. */
export function checkpointIn(bytes: Uint8Array, { options, parameters }: t.TrainingFacts): t.Checkpoint {
  const { metadata, read } = safetensorsIn(file, bytes);
  const { step, options: stored } = (isObject(metadata) ? metadata : {}) as { step?: unknown; options?: unknown };
  if (typeof step !== "string" || typeof stored !== "string" || !/^\d+$/.test(step))
    throw wrongFile(file, "no step and options in its metadata, expected a file that save() made");
  const other = difference(optionsIn(stored), JSON.parse(JSON.stringify(storedOptions(options))), "options");
  if (other) {
    const [given, own] = [other.given, other.own].map((value) => JSON.stringify(value)?.slice(0, 100));
    throw wrongFile(`${file}.${other.path}`, `${given}, expected ${own}, as this training has`);
  }
  const last = parameters.at(-1) as t.TrainingParameter;
  const size = last.offset + sizeOf(last);
  const made: t.Checkpoint = {
    step: Number(step),
    values: new Float32Array(size),
    firstMoments: new Float32Array(size),
    secondMoments: new Float32Array(size),
  };
  for (const array of arrays)
    for (const { name, shape, offset } of parameters) {
      const path = prefixes[array] + name;
      const { data, shape: found } = read(path);
      if (!(data instanceof Float32Array) || found.join() !== shape.join())
        throw wrongFile(
          `${file}[${path}]`,
          `the shape [${found.join(", ")}], expected float32 of [${shape.join(", ")}]`,
        );
      made[array].set(data, offset);
    }
  return made;
}

function optionsIn(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw wrongFile(file, "options that are no JSON, expected a file that save() made");
  }
}
