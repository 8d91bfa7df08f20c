import type { Step } from "../../core/computation";
import { braced } from "../literal";

/** What depends on the offset of query and key: computed once for each offset, then spread over all pairs. */
export function relative({ name, size, rule }: Extract<Step, { does: "relative" }>): {
  readonly lines: string[];
  readonly headers: string[];
} {
  const heads = rule.type === "alibi" ? rule.heads : 1;
  const pairs = `${name}_pairs`;
  const near = `${name}_by_offset`;
  const all = `${heads === 1 ? "" : `${heads} * `}${size} * ${size}`;
  const whole = rule.type === "offset" || rule.type === "clip" || rule.type === "t5" || rule.type === "learned";
  const type = whole ? "std::int32_t" : "float";
  const call = {
    offset: () => `relative_offsets(${pairs}, ${near})`,
    clip: ({ most }: { most: number }) => `shaw_ids(${pairs}, ${most}, ${near})`,
    t5: (own: { buckets: number; most: number; both: boolean }) =>
      `T5Buckets::make({.buckets = ${own.buckets}, .max_distance = ${own.most}, .bidirectional = ${own.both}}).value().ids(${pairs}, ${near})`,
    alibi: () => `alibi_bias({}, ${pairs}, posenc::Future::keep, ${near})`,
    kerple: ({ kernel }: { kernel: string }) =>
      `kerple_bias({.kernel = posenc::KerpleKernel::${kernel}, .r1 = ${name}_r1, .r2 = ${name}_r2}, ${pairs}, posenc::Future::keep, ${near})`,
    learned: ({ table }: { table: readonly number[] }) => `shaw_ids(${pairs}, ${(table.length - 1) / 2}, ${near})`,
  }[rule.type] as (own: unknown) => string;
  const spread = rule.type === "learned" ? `${name}_rows` : name;
  return {
    lines: [
      `const auto ${pairs} = posenc::RelativePositions::make({.heads = ${heads}, .queries = ${size}, .keys = ${size}}).value();`,
      ...(rule.type === "kerple" ? [`const std::vector<float> ${name}_r1{${rule.r1}}, ${name}_r2{${rule.r2}};`] : []),
      `std::vector<${type}> ${near}(${heads === 1 ? "" : `${heads} * `}${pairs}.distances()), ${spread}(${all});`,
      `posenc::${call(rule)}.value();`,
      `posenc::relative_expand(${pairs}, 1, ${near}, ${spread}).value();`,
      ...(rule.type === "clip" ? [`for (std::int32_t& row : ${name}) row -= ${rule.most};`] : []),
      ...(rule.type === "learned"
        ? [
            `const std::vector<float> table${braced(rule.table)};`,
            `std::vector<float> ${name}(${all});`,
            `posenc::lookup_rows(table, 1, posenc::TableRows::list(${spread}), ${name}).value();`,
          ]
        : []),
    ],
    headers: {
      offset: ["relative/relative_position.hpp"],
      clip: ["relative/shaw.hpp"],
      t5: ["relative/t5.hpp"],
      alibi: ["relative/alibi.hpp"],
      kerple: ["relative/kerple.hpp"],
      learned: ["learned/learned_table.hpp", "relative/shaw.hpp"],
    }[rule.type],
  };
}
