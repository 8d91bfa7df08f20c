// The ways in which encodings that follow from options may be wrong.

import type { Change, Options, PointChange, Way } from "./made.js";

const withOptions = (way: Way, more: Options): Way => ({ ...way, options: { ...way.options, ...more } });
const withPoints = (way: Way, change: PointChange): Way => ({ ...way, points: [...way.points, change] });
const withOutput = (way: Way, change: Way["outputs"][number]): Way => ({ ...way, outputs: [...way.outputs, change] });

const transposed: PointChange = (points, axes, grid) => {
  if (axes < 2) return points;
  const [rows, columns] = grid.slice(-2) as [number, number];
  const made = new Float64Array(points.length);
  const size = rows * columns;
  for (let cell = 0; cell * axes < points.length; ++cell) {
    const [plane, at] = [Math.floor(cell / size), cell % size];
    const from = plane * size + (at % rows) * columns + Math.floor(at / rows);
    for (let axis = 0; axis < axes; ++axis) made[cell * axes + axis] = points[from * axes + axis] as number;
  }
  return made;
};

const exchanged: PointChange = (points, axes) =>
  points.map((_, at) => {
    const axis = at % axes;
    const last = axes - 1;
    const other = axis === last ? last - 1 : axis === last - 1 ? last : axis;
    return points[at - axis + other] as number;
  });

const mapped =
  (change: (point: number, extent: number) => number): PointChange =>
  (points, axes, grid) =>
    points.map((point, at) => change(point, grid[grid.length - axes + (at % axes)] as number));

const bases = [10000, 100, 10, 256, 1000, 20, 500000];

/** A mistake that is other options, or what is done to points or to the numbers that come out. */
const options = (mistake: string, more: Options): Change => ({ mistake, of: (way) => withOptions(way, more) });
const points = (mistake: string, change: PointChange): Change => ({ mistake, of: (way) => withPoints(way, change) });
const output = (mistake: string, change: Way["outputs"][number]): Change => ({
  mistake,
  of: (way) => withOutput(way, change),
});

/** The mistakes of encodings that rotate. */
export const rotaryChanges: readonly Change[] = [
  ...["half", "interleaved"].map((layout) => ({
    mistake: "layout",
    of: (way: Way) => (layout === way.options.layout ? undefined : withOptions(way, { layout })),
  })),
  ...bases.map((base) => options("base", { base })),
  points("axes-order", exchanged),
  points("cell-order", transposed),
  ...[1, -1, 0.5].map((by) =>
    points(
      "first-position",
      mapped((point) => point + by),
    ),
  ),
  // Divided by the extent, centred and divided, and the reverse.
  ...[
    (point: number, extent: number) => point / extent,
    (point: number, extent: number) => (2 * point + 1 - extent) / extent,
    (point: number, extent: number) => (point * extent + extent - 1) / 2,
  ].map((change) => points("position-scale", mapped(change))),
  {
    mistake: "restarted",
    of: (way) =>
      withOptions(
        way,
        way.options.preset === "pixtral"
          ? { layout: "half", ...way.options, preset: "axial", axes: 2 }
          : { preset: "pixtral" },
      ),
  },
  { mistake: "sign", of: (way) => withOptions(way, { inverse: !way.options.inverse }) },
  points("not-rotated", (all) => all.map(() => 0)),
  ...["qwen2-vl", "pixtral", "dinov3", "llama4", "timm", "timm-pixel", "rope-vit", "croco"]
    .concat(["rotary-embedding-torch", "rotary-embedding-torch-pixel", "wan", "cogvideox", "hunyuan-video", "flux"])
    .map((preset) => ({ mistake: "scaling-other", of: (way: Way) => ofPreset(way, preset) })),
];

/** Another preset has its own options. */
function ofPreset({ options: own, ...way }: Way, preset: string): Way | undefined {
  if (preset === own.preset) return undefined;
  const { dim, shape, grid, prefixTokens, suffixTokens, inverse, mask } = own;
  const kept = { dim, shape, grid, prefixTokens, suffixTokens, inverse, mask, preset };
  return { ...way, options: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) };
}

const ofNormalised = (way: Way, normalised: boolean): Way =>
  withOptions(way, normalised ? { normalised } : { normalised, extent: undefined, epsilon: undefined });

export const tableChanges: readonly Change[] = [
  ...["interleaved", "split", "cosines-first"].map((order) => options("arrangement", { order })),
  ...["by-axis", "by-function"].map((arrangement) => options("arrangement", { arrangement })),
  ...["first-first", "last-first"].map((axes) => options("axes-order", { axes })),
  output("cell-order", "transposed"),
  ...[0, 1, 0.5].map((start) => options("first-position", { start })),
  ...[true, false].map((normalised) => ({
    mistake: "position-scale",
    of: (way: Way) => ofNormalised(way, normalised),
  })),
  ...[1, 2 * Math.PI, 16].map((extent) => options("position-scale", { extent, normalised: true })),
  ...bases.map((base) => options("base", { base })),
  output("sign", "negated"),
  output("amplitude", "scaled"),
  ...["detr", "mae", "timm", "diffusers", "positional-encodings"].map((preset) => ({
    mistake: "scaling-other",
    of: (way: Way) => ofPreset(way, preset),
  })),
];

export const t5Changes: readonly Change[] = [
  output("sign", "exchanged"),
  output("amplitude", "scaled"),
  ...[0, 1, -1].map((by) => ({
    mistake: "first-position",
    of: (way: Way) => withOptions(way, { queryOffset: by === 0 ? 0 : Number(way.options.queryOffset ?? 0) + by }),
  })),
  ...["mask", "keep"].map((future) => options("causal", { future })),
  ...[true, false].map((bidirectional) => options("buckets", { bidirectional })),
  ...[16, 20, 64, 128, 256, 512].map((maxDistance) => options("buckets", { maxDistance })),
];

export const windowChanges: readonly Change[] = [
  output("sign", "exchanged"),
  output("amplitude", "scaled"),
  {
    mistake: "axes-order",
    of: (way) => withOptions(way, { height: way.options.width, width: way.options.height }),
  },
  output("cell-order", "window"),
];
