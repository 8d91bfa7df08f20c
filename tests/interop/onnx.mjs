// As much of ONNX's file format (protocol buffers) as a graph of a few nodes needs.

function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const number = (field, value) => [...varint(field << 3), ...varint(value)];
const message = (field, bytes) => [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
const text = (field, value) => message(field, [...new TextEncoder().encode(value)]);

/** A float32 input or output, each extent a name or a number. */
export function value(name, shape) {
  const extents = shape.flatMap((extent) =>
    message(1, typeof extent === "number" ? number(1, extent) : text(2, extent)),
  );
  return [...text(1, name), ...message(2, message(1, [...number(1, 1), ...message(2, extents)]))];
}

export const node = (operator, inputs, outputs) => [
  ...inputs.flatMap((name) => text(1, name)),
  ...outputs.flatMap((name) => text(2, name)),
  ...text(4, operator),
];

/** A model of one graph. */
export function model(nodes, inputs, outputs) {
  const graph = [
    ...nodes.flatMap((bytes) => message(1, bytes)),
    ...text(2, "graph"),
    ...inputs.flatMap((bytes) => message(11, bytes)),
    ...outputs.flatMap((bytes) => message(12, bytes)),
  ];
  const set = message(8, [...text(1, ""), ...number(2, 17)]);
  return Uint8Array.from([...number(1, 8), ...message(7, graph), ...set]);
}
