// posenc fixtures: files to put beside a port, by which its mistakes are found.

import { join } from "node:path";
import type * as t from "../../js/types/index.js";
import { filesOf, numberOf, output, readArguments, textOf, texts } from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { readModel } from "../files/config.js";
import { checkFree, standardOutput, writeAll } from "../files/write.js";
import { print, printJson } from "../print.js";
import { announced } from "../progress.js";

export async function fixtures(args: readonly string[], load: () => Promise<t.PosencTools>): Promise<number> {
  const given = readArguments(args, { ...output, ...texts("length", "layout") });
  const [config] = filesOf(given, 1, 1, "a config.json");
  const folder = textOf(given, "output");
  if (folder === undefined || folder === standardOutput)
    throw new UsageFailure(`--output: ${folder ?? "missing"}, expected a folder`);
  const pe = await load();
  const [length, layout] = [numberOf(given, "length"), textOf(given, "layout") as t.Layout | undefined];
  const model = await readModel(pe, config as string);
  const { language } = given;
  const options = { language, ...(length !== undefined && { length }), ...(layout !== undefined && { layout }) };
  const { files } = announced(language, () => pe.fixtures(model, options));
  const written = files.map(({ name, data }) => ({ file: join(folder, name), data }));
  for (const { file } of written) checkFree(file, given.flags.force === true);
  writeAll(written);
  if (given.isJson) printJson(written.map(({ file }) => file));
  else for (const { file } of written) print(file);
  return codes.fine;
}
