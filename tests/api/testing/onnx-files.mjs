// Files of ONNX, protobuf messages written here by onnx.proto.

function varint(value) {
  let left = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  do {
    const more = left > 127n;
    bytes.push(Number(left & 127n) | (more ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}

/** A field: a whole number, or bytes, a text or a message. */
export const field = (number, value) =>
  typeof value === "number" || typeof value === "bigint"
    ? Buffer.concat([varint(number * 8), varint(value)])
    : Buffer.concat([varint(number * 8 + 2), varint(Buffer.byteLength(value)), Buffer.from(value)]);

const message = (...fields) => Buffer.concat(fields);
const types = { Float32Array: 1, Float64Array: 11, Uint16Array: 10, BigInt64Array: 7, Int32Array: 6 };
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/**
 * A tensor of data and shape. With `external` { location, offset, length } its values are in another file; `type` is another
 * type, `isList` a list of floats in place of raw data, `isPacked` extents in one field.
 */
export function tensor(name, { data, shape, external, type = types[data.constructor.name], isList, isPacked }) {
  const extents = isPacked ? [field(1, Buffer.concat(shape.map(varint)))] : shape.map((extent) => field(1, extent));
  const entries = Object.entries(external ?? {}).map(([key, value]) =>
    field(13, message(field(1, key), field(2, `${value}`))),
  );
  const values = external ? [...entries, field(14, 1)] : [field(isList ? 4 : 9, bytesOf(data))];
  return message(...extents, field(2, type), field(8, name), ...values);
}

/** An attribute: a whole number, a float { float }, a graph { graph } or a tensor { tensor }. */
function attribute(name, value) {
  if (typeof value === "number") return message(field(1, name), field(3, value), field(20, 2));
  if (value.graph) return message(field(1, name), field(6, value.graph), field(20, 5));
  if (value.tensor) return message(field(1, name), field(5, value.tensor), field(20, 4));
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value.float);
  return message(field(1, name), Buffer.concat([varint(2 * 8 + 5), bytes]), field(20, 1));
}

export function node(operator, inputs, { domain = "", name = "", output = "out", ...attributes } = {}) {
  return message(
    ...inputs.map((input) => field(1, input)),
    field(2, output),
    field(3, name),
    field(4, operator),
    ...Object.entries(attributes).map(([key, value]) => field(5, attribute(key, value))),
    field(7, domain),
  );
}

export const graph = (nodes, tensors) =>
  message(...nodes.map((each) => field(1, each)), field(2, "graph"), ...tensors.map((each) => field(5, each)));

/** A model of a graph. */
export function onnx(nodes, tensors = [], { opsets = { "": 23, "com.microsoft": 1 } } = {}) {
  const imports = Object.entries(opsets).map(([domain, version]) =>
    field(8, message(field(1, domain), field(2, version))),
  );
  return message(field(1, 10), field(2, "posenc's tests"), field(7, graph(nodes, tensors)), ...imports);
}
