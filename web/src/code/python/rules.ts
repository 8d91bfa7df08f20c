import type { Work } from "../../core/computation";
import { list } from "../literal";
import { type Dialect, float, powers } from "./dialect";

type Rule = Extract<Work, { does: "frequencies" }>;

/** Rules for longer texts as formulas: lines that leave `frequencies` as they are after the rule. */
export function frequencyRule(rule: Rule, dialect: Dialect): string[] {
  const { dim, base, exponentDim = dim, length = 0, scaling = { type: "default" } } = rule;
  const { module, range, array } = dialect;
  const pairs = dim / 2;
  const number = (option: string, otherwise = 0) => (scaling[option] as number | undefined) ?? otherwise;
  const factor = number("factor", 1);
  const trained = number("originalLength");
  const plain = `frequencies = ${powers(base, pairs, exponentDim, dialect)}`;
  /** With a base that makes the last pair slower by `by`. */
  const rebased = (by: string) => [
    `base = ${float(base)} * ${by} ** (${exponentDim} / ${exponentDim - 2})`,
    `frequencies = base ** (-2 * ${range(pairs)} / ${exponentDim})`,
  ];
  /** From the frequencies as they are, where it is 1, to those divided by the factor, where it is 0. */
  const blended = `frequencies = frequencies * (kept + (1 - kept) / ${factor})`;
  switch (scaling.type) {
    case "linear":
      return [plain, `frequencies = frequencies / ${factor}`];
    case "ntk":
      return rebased(`${factor}`);
    case "dynamic":
      return rebased(`(${factor} * ${Math.max(length, trained)} / ${trained} - ${factor - 1})`);
    case "yarn": {
      const [fast, slow] = [number("betaFast", 32), number("betaSlow", 1)];
      const whole = scaling.truncate !== false;
      return [
        plain,
        "",
        "",
        `def pair(turns):  # the index whose pair makes so many turns in ${trained} positions`,
        `    return ${exponentDim} * math.log(${trained} / (2 * math.pi * turns)) / (2 * math.log(${base}))`,
        "",
        "",
        `low = max(${whole ? `math.floor(pair(${fast}))` : `pair(${fast})`}, 0)`,
        `high = min(${whole ? `math.ceil(pair(${slow}))` : `pair(${slow})`}, ${exponentDim - 1})`,
        `slope = high - low or 0.001`,
        `kept = 1 - ${module}.clip((${range(pairs)} - low) / slope, 0, 1)`,
        blended,
      ];
    }
    case "longrope": {
      const factors = scaling[length > trained ? "longFactor" : "shortFactor"] as ArrayLike<number>;
      return [plain, `frequencies = frequencies / ${array(list(factors))}`];
    }
    case "llama3": {
      const [low, high] = [number("lowFrequencyFactor", 1), number("highFrequencyFactor", 4)];
      const ramp = `${module}.clip((turns - ${low}) / ${high - low}, 0, 1)`;
      return [
        plain,
        `turns = ${trained} * frequencies / (2 * math.pi)`,
        `kept = ${low === high ? `1.0 * (turns >= ${high})` : ramp}`,
        blended,
      ];
    }
    case "proportional": {
      const rotated = Math.floor(number("fraction", 1) * pairs);
      return [plain, `frequencies = frequencies / ${factor} * (${range(pairs)} < ${rotated})`];
    }
    case "given":
      return [`frequencies = ${array(list(scaling.frequencies as ArrayLike<number>))}`];
    default:
      return [plain];
  }
}
