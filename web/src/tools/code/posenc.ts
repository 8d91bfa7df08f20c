import { javascript, members } from "../../code/literal";
import type { Right } from "../protocol";

type Rotary = Extract<Right, { type: "rotary" }>;

/** The plan without options that have their default. */
const bare = ({ plan }: Rotary) =>
  Object.fromEntries(
    Object.entries(plan).filter(
      ([name, value]) =>
        value !== undefined &&
        !(name === "exponent" && value === "paper") &&
        !(name === "rotaryDim" && value === plan.dim) &&
        !(name === "exponentDim" && value === (plan.rotaryDim ?? plan.dim)) &&
        !(name === "scaling" && (value as { type: string }).type === "default"),
    ),
  );

const isSlice = ({ firstDim, heads, plan }: Rotary) => firstDim > 0 || heads > plan.dim;

/** Writes JavaScript that calls the package. */
export function script(right: Right): string {
  const start = (entry: string) => `import { load } from ${JSON.stringify(entry)};\n\nconst pe = await load();`;
  if (right.type === "alibi") {
    const { slopes, rule, steepness } = right;
    const options = `heads: ${slopes.length}, slopes: "${rule}"${steepness === 8 ? "" : `, steepness: ${steepness}`}`;
    return `${start("posenc/full")}\nconst bias = pe.alibi({ ${options}, queries, keys }); // [heads, queries, keys]`;
  }
  if (right.type === "sinusoidal") {
    const { dim, base, order, offset, amplitude } = right;
    const options = {
      length: 16,
      ...(offset !== 0 && { offset }),
      dim,
      ...(base !== 10000 && { base }),
      ...(order !== "interleaved" && { order }),
      ...(amplitude !== 1 && { amplitude }),
    };
    return `${start("posenc")}\nconst table = pe.sinusoidal(${javascript(options)});`;
  }
  const how = [
    `shape: [tokens, heads, ${right.heads}]`,
    "seqAxis: 0",
    ...(isSlice(right) ? [`firstDim: ${right.firstDim}`] : []),
    ...(right.inverse ? ["inverse: true"] : []),
    right.offset === 0 ? "positions" : `positions: positions.map((p) => p + ${right.offset})`,
  ].join(", ");
  return `${start(isSlice(right) ? "posenc/full" : "posenc")}
const rope = pe.rotary(${javascript(bare(right))});
rope.apply(x, { ${how} }); // in place; positions: one number a token`;
}

/** Writes C++ that calls the core. */
export function cpp(right: Right): string {
  if (right.type === "alibi")
    return `#include "posenc/relative/alibi.hpp"

std::vector<float> slopes(${right.slopes.length});
const auto written = posenc::alibi_slopes({.slopes = posenc::AlibiSlopes::${right.rule}, .steepness = ${right.steepness}}, slopes);
if (!written) return report(written.error().message());`;
  if (right.type === "sinusoidal") {
    const { dim, base, order, offset, amplitude } = right;
    const frequencies = `.frequencies = {.dim = ${dim}${base === 10000 ? "" : `, .base = ${base}`}}`;
    const rest = [
      ...(order === "interleaved" ? [] : [`.order = posenc::Order::${order.replaceAll("-", "_")}`]),
      ...(amplitude === 1 ? [] : [`.amplitude = ${amplitude}`]),
    ];
    return `#include "posenc/sinusoidal/sinusoidal.hpp"

const auto sinusoidal = posenc::Sinusoidal::make({${[frequencies, ...rest].join(", ")}});
if (!sinusoidal) return report(sinusoidal.error().message());
std::vector<float> table(tokens * ${dim});
const auto written = sinusoidal->table(posenc::Positions::range(tokens${offset === 0 ? "" : `, ${offset}`}), table);`;
  }
  const made = isSlice(right)
    ? `posenc::SequenceShape::make(extents, {.sequence = 0})\n    .and_then([](const auto& heads) { return heads.dims(${right.firstDim}, ${right.plan.dim}); })`
    : "posenc::SequenceShape::make(extents, {.sequence = 0})";
  const direction = right.inverse ? ", posenc::Direction::inverse" : "";
  const shifted = right.offset === 0 ? "" : `\nfor (double& position : positions) position += ${right.offset};`;
  return `#include "posenc/rotary/rotary.hpp"

const auto rotary = posenc::Rotary::make({${members(bare(right))}});
if (!rotary) return report(rotary.error().message());
const std::array<std::int64_t, 3> extents{tokens, heads, ${right.heads}};
const auto shape = ${made};
if (!shape) return report(shape.error().message());${shifted}
const auto done = rotary->apply(x, *shape, posenc::Positions::list(positions)${direction}); // in place`;
}
