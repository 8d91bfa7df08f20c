import { readFileSync } from "node:fs";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** A BibTeX entry made from CITATION.cff and the package's version. */
export function bibtex(): string {
  const facts = read("CITATION.cff");
  const fact = (key: string) => {
    const [, value] = facts.match(new RegExp(`^[ -]*${key}: (.+)$`, "m")) ?? [];
    if (!value) throw new Error(`CITATION.cff names no ${key}`);
    return value;
  };
  const { version } = JSON.parse(read("package.json"));
  const fields = {
    author: `{${fact("name")}}`,
    title: fact("title"),
    version,
    license: fact("license"),
    abstract: fact("abstract"),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  return `@software{${fact("title")},\n${lines.join(",\n")}\n}`;
}
