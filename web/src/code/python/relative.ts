import type { Work } from "../../core/computation";
import { list } from "../literal";
import type { Dialect } from "./dialect";

type Relative = Extract<Work, { does: "relative" }>;

/** Slopes of ALiBi's heads: 2^(-8h/H); where H is no power of two, every other one of twice as many heads comes after. */
function slopes(heads: number, { array, range }: Dialect): string[] {
  const power = 2 ** Math.floor(Math.log2(heads));
  const own = `2.0 ** (-8 * (${range(power)} + 1) / ${power})`;
  if (power === heads) return [`slopes = ${own}`];
  return [
    `slopes = [2 ** (-8 * (head + 1) / ${power}) for head in range(${power})]`,
    `slopes += [2 ** (-8 * (head + 0.5) / ${power}) for head in range(${heads - power})]`,
    `slopes = ${array("slopes")}`,
  ];
}

/** T5's buckets: the near offsets have one each, farther ones share theirs by the logarithm. */
function buckets(rule: Extract<Relative["rule"], { type: "t5" }>, name: string, { module }: Dialect): string[] {
  const { most, both } = rule;
  const count = both ? Math.floor(rule.buckets / 2) : rule.buckets;
  const near = Math.floor(count / 2);
  return [
    `distance = ${both ? `${module}.abs(offset)` : `${module}.clip(-offset, 0, None)`}`,
    `ratio = ${module}.log(${module}.clip(distance, ${near}, None) / ${near}) / math.log(${most} / ${near})`,
    "# A little more: the logarithm of an exact power may fall short of it.",
    `far = ${module}.clip(${near} + ${module}.floor(ratio * ${count - near} + 1e-9), 0, ${count - 1})`,
    `${name} = ${module}.where(distance < ${near}, distance, far)${both ? ` + ${count} * (offset > 0)` : ""}`,
  ];
}

/** What depends on the offset of query and key alone. */
export function relative({ rule, size }: Relative, name: string, dialect: Dialect): string[] {
  const { module, range, array, whole } = dialect;
  const offset = `offset = ${range(size)}[None, :] - ${range(size)}[:, None]  # key - query`;
  switch (rule.type) {
    case "offset":
      return [offset, `${name} = offset`];
    case "clip":
      return [offset, `${name} = ${module}.clip(offset, -${rule.most}, ${rule.most})`];
    case "t5":
      return [offset, ...buckets(rule, name, dialect)];
    case "alibi":
      return [
        ...slopes(rule.heads, dialect),
        offset,
        `${name} = -slopes[:, None, None] * ${module}.abs(offset)  # [heads, queries, keys]`,
      ];
    case "kerple": {
      const { kernel, r1, r2 } = rule;
      const distance = `${module}.abs(offset)`;
      const grown = kernel === "power" ? `${distance} ** ${r2}` : `${module}.log1p(${r2} * ${distance})`;
      return [offset, `${name} = -${r1} * ${grown}`];
    }
    case "learned": {
      const reach = (rule.table.length - 1) / 2;
      return [
        offset,
        `table = ${array(list(rule.table))}`,
        `row = ${module}.clip(offset, -${reach}, ${reach}) + ${reach}`,
        `${name} = table[${whole("row")}]`,
      ];
    }
  }
}
