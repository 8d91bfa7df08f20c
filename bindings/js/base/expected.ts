// The codes of errors that are thrown here and not in the core, each with the English sentence of what was expected and
// the names of its parameters in braces. The core's codes are in posenc/base/error_code.hpp; a code of both has one
// sentence.

import type { ErrorCode } from "../types/index.js";

type Expected = `${ErrorCode}|${string}`;

// Numbers and texts.
export const number = "number|a number" satisfies Expected;
export const whole = "whole|a whole number" satisfies Expected;
export const whole_at_least = "whole_at_least|a whole number >= {least}" satisfies Expected;
export const whole_from_to = "whole_from_to|a whole number from {least} to {most}" satisfies Expected;
export const finite = "finite|a finite number" satisfies Expected;
export const finite_above = "finite_above|a finite number > {bound}" satisfies Expected;
export const finite_at_least = "finite_at_least|a finite number >= {bound}" satisfies Expected;
export const from_to = "from_to|a number from {least} to {most}" satisfies Expected;
export const number_if_given = "number_if_given|a number, or nothing in its place" satisfies Expected;
export const name_if_given = "name_if_given|a name, or nothing in its place" satisfies Expected;
export const even_to_dim = "even_to_dim|an even number from 2 to dim ({dim})" satisfies Expected;
export const string = "string|a string" satisfies Expected;
export const named = "named|one of {names}; it has no default" satisfies Expected;
export const characters = "characters|at most {most} characters" satisfies Expected;
export const flag = "flag|true or false" satisfies Expected;
export const one_of = "one_of|one of {names}" satisfies Expected;
export const exactly = "exactly|{value}" satisfies Expected;
export const nothing = "nothing|nothing" satisfies Expected;

// Objects.
export const options = "options|an object of options" satisfies Expected;
export const option = "option|one of {names}" satisfies Expected;
export const rule = "rule|an object { type, … }" satisfies Expected;
export const tensor = "tensor|a tensor { data, shape }" satisfies Expected;
export const typed_tensor = "typed_tensor|a tensor { data, shape, dtype }" satisfies Expected;
export const ids = "ids|ids { data, shape } or an array of numbers" satisfies Expected;
export const array_of = "array_of|an array of {items}" satisfies Expected;
export const type = "type|{article} {type}" satisfies Expected;
export const bits = 'bits|the type of the bits in {of}, a Uint16Array: "float16" or "bfloat16"' satisfies Expected;
export const made_by = "made_by|what {maker} of this entry made" satisfies Expected;
export const alive = "alive|one that is still alive" satisfies Expected;

// Sizes and shapes.
export const values = "values|{count} values" satisfies Expected;
export const axes = "axes|{count} axes" satisfies Expected;
export const config = "config|the object parsed from a config.json" satisfies Expected;
export const config_size = "config_size|at most {most} bytes in all of a config" satisfies Expected;
export const any_axis = "any_axis|at least one axis" satisfies Expected;
export const shape = "shape|{shape}" satisfies Expected;
export const multiple = "multiple|a multiple of {of}" satisfies Expected;
export const last_extent = "last_extent|{dim} (dim) as its last extent" satisfies Expected;
export const axis_from_to = "axis_from_to|an axis of {tensor}: from {least} to {most}" satisfies Expected;

// Memory.
export const memory = "memory|as many values as fit into memory" satisfies Expected;
export const apart = "apart|memory that does not overlap {other}" satisfies Expected;
export const living_view = "living_view|a view of a buffer that is still alive" satisfies Expected;
export const new_view = "new_view|a new view: the memory grew" satisfies Expected;
export const unmoved = "unmoved|an array that was not moved or cut" satisfies Expected;

// Files: these sentences are the whole message after the file's name.
export const file_cut = "file_cut|truncated" satisfies Expected;
export const file_ends = "file_ends|truncated: it ends after {bytes} bytes" satisfies Expected;
export const file_truncated = "file_truncated|truncated: {bytes} bytes, expected {size}" satisfies Expected;
export const file_size = "file_size|{bytes} bytes, expected {size} for shape {shape}" satisfies Expected;
export const file_kind =
  "file_kind|a file that begins with {start}, expected a .npy, .npz, .safetensors or .gguf file" satisfies Expected;
export const file_array = "file_array|no array {name}, expected one of {arrays}" satisfies Expected;
export const file_compressed =
  "file_compressed|compressed, which this JavaScript engine cannot read: save it with numpy.savez" satisfies Expected;

// Loading, and workers.
export const wasm = "wasm|the .wasm of {module}" satisfies Expected;
export const wasm_source = "wasm_source|a WebAssembly.Module, bytes, a URL, a string or a Response" satisfies Expected;
export const worker = 'worker|one in which "posenc/lab-worker" runs' satisfies Expected;
export const response = "response|a response with the file" satisfies Expected;
