// A tensor by what is written on the command line: "file.npy", "file.npz:name", "file.safetensors:name" and so on, "-"
// or "-:name" for standard input.

import { arrayOf, arraysOf, onnxOf } from "../../js/files.js";
import type { FileArray, FileValues, PickOptions, Picks } from "../../js/types/files.js";
import { FileFailure, UsageFailure } from "../failure.js";
import type { Progress } from "../progress.js";
import { openBeside, openFile } from "./open-file.js";

const pattern = /^(-|.+?\.(npy|npz|safetensors|gguf|onnx))(?::(.+))?$/is;

/** Names that are shown where one is missing. */
const mostNames = 20;

/** Whether it looks like a tensor in a file, and not like a list of numbers. */
export const isFile = (given: string): boolean => pattern.test(given);

/** A tensor in a file, of which any part can be read. */
export interface Tensor {
  /** As it was given. */
  readonly file: string;
  /** Its extents; of complex numbers the last is 2. */
  readonly shape: readonly number[];
  /** The values at the picked indices of each axis, of `shape` or of another that has as many values. */
  read(picks: readonly Picks[], shape?: PickOptions["shape"]): Promise<FileValues>;
}

/** Reports a fault of a file's content: the message names the file already. */
export async function onContent<Made>(run: () => Promise<Made>): Promise<Made> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof RangeError ? new FileFailure(error.message, { cause: error }) : error;
  }
}

export const isOnnx = (file: string): boolean => /\.onnx$/i.test(file);

/** What a graph stores, in files beside it, too. */
export const openGraph = (file: string) => onContent(() => onnxOf(openFile(file), { open: openBeside(file) }));

async function namedArray(file: string, name: string): Promise<FileArray> {
  if (!isOnnx(file)) return arrayOf(openFile(file), name);
  const { arrays, notRead } = await openGraph(file);
  const reason = notRead.get(name);
  if (reason !== undefined) throw new FileFailure(reason);
  return arrays.get(name) ?? arrayOf(openFile(file), name);
}

async function onlyArray(file: string): Promise<FileArray> {
  const arrays = isOnnx(file) ? [...(await openGraph(file)).arrays.values()] : await arraysOf(openFile(file));
  const [first, second] = arrays;
  if (!first) throw new FileFailure(`${file}: a file without arrays`);
  if (second === undefined) return first;
  const more = arrays.length > mostNames ? `, … (${arrays.length})` : "";
  const names = arrays.slice(0, mostNames).map(({ name }) => name);
  throw new FileFailure(`${file}: several arrays: name one of ${names.join(", ")}${more} (${file}:NAME)`);
}

export async function openTensor(given: string, progress: Progress): Promise<Tensor> {
  const [, file, ending, name] = pattern.exec(given) ?? [];
  if (file === undefined) {
    throw new UsageFailure(
      `${given}: expected a file that ends in .npy, .npz, .safetensors, .gguf or .onnx, or - for standard input`,
    );
  }
  if (name !== undefined && ending?.toLowerCase() === "npy")
    throw new UsageFailure(`${given}: expected no name behind a .npy file, which has one array`);
  const array = await onContent(() => (name === undefined ? onlyArray(file) : namedArray(file, name)));
  return {
    file: given,
    shape: array.shape,
    read: (picks, shape = array.shape) => onContent(() => array.pick(picks, { shape, progress })),
  };
}
