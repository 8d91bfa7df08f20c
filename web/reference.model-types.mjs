// The reference's page of model types, made from the rows of the core's table.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Helpers of the table that add members to those of a row. */
const helpers = {
  encoder: "encoding = learned, mask = bidirectional, rows = 512",
  bert: "encoding = learned, mask = by_decoder_key, rows = 512, relative keys in transformers 4",
  stacks: "mask = by_stack",
  of_cells: "encoding = grid, mask = bidirectional, verified = by_reading",
};

/** The texts between the outermost braces of a list. */
function itemsOf(list) {
  const items = [];
  let [depth, from] = [0, 0];
  for (const { 0: mark, index } of list.matchAll(/"(?:[^"\\]|\\.)*"|[{}()]|,/g)) {
    if (mark === "," && depth === 0) {
      items.push(list.slice(from, index));
      from = index + 1;
    } else depth += "{(".includes(mark) ? 1 : "})".includes(mark) ? -1 : 0;
  }
  return [...items, list.slice(from)].map((item) => item.trim()).filter((item) => item !== "");
}

const textOf = (item, name) =>
  Array.from(
    new RegExp(`\\.${name} =\\s*((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)`).exec(item)?.[1].matchAll(/"((?:[^"\\]|\\.)*)"/g) ??
      [],
  )
    .map(([, text]) => text.replaceAll("\\", ""))
    .join("");

/** A row's members, those of what it is like and those of its helpers, as they are written. */
function membersOf(item, shared) {
  const [, name, rest] = /^(\w+)\((.*)\)$/s.exec(item) ?? [];
  if (name === "like") {
    const [other, own] = itemsOf(rest);
    return `${membersOf(shared.get(other), shared)}; ${membersOf(own, shared)}`;
  }
  if (name) return `${helpers[name]}; ${membersOf(rest.trim(), shared)}`;
  return itemsOf(item.slice(1, -1))
    .filter((member) => !/^\.(type|note|source|verified) =/.test(member))
    .map((member) =>
      member
        .replace(/^\./, "")
        .replace(/\s+/g, " ")
        .replace(/[A-Z]\w*::/g, ""),
    )
    .join(", ");
}

/** Writes the page; gives its path. */
export function modelTypesPage() {
  const code = readFileSync(join(root, "src/posenc/hub/model_types.cpp"), "utf8");
  const shared = new Map(
    Array.from(code.matchAll(/^constexpr ModelType (\w+)( = )?(\w+\(\{.*?\}\)|\{.*?\});$/gms), ([, name, , item]) => [
      name,
      item,
    ]),
  );
  const [, list] = /^constexpr ModelType rows\[\]\{$(.*?)^\};$/ms.exec(code);
  const rows = itemsOf(list.replace(/^ *\/\/.*$/gm, "")).map((item) => {
    const [, refused, reason] = /^refused\("([^"]+)",\s*"([^"]+)"/.exec(item) ?? [];
    if (refused) return [`\`${refused}\``, "not supported", reason, ""];
    const members = membersOf(item, shared).replace(/(; )+$|^(; )+/g, "");
    const checked = /verified = by_reading/.test(item) || item.startsWith("of_cells") ? "read" : "by numbers";
    return [`\`${textOf(item, "type")}\``, members, textOf(item, "note"), checked];
  });
  const lines = [
    ["model_type", "its class, where it is not Llama's", "besides", "checked"],
    ["-", "-", "-", "-"],
    ...rows,
  ];
  const text = `# Model types

Each row has what the code of a type fixes, or does where its config says nothing. Names are those of the core's
\`model_types.hpp\`; members that are not named are as in Llama, and of several with a name the last counts. "By numbers": numbers of the type's own code are compared.

${lines.map((line) => `| ${line.map((cell) => cell.replaceAll("|", "\\|").replace(/[<>]/g, "\\$&")).join(" | ")} |`).join("\n")}
`;
  mkdirSync(join(root, "build"), { recursive: true });
  const page = join(root, "build/model-types.md");
  writeFileSync(page, text);
  return page;
}
