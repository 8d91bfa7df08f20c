// The command reads from standard input and writes to standard output, and says why where it cannot.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { before, test } from "node:test";
import { fromNpy } from "posenc/npy";
import { npy, npz, safetensors } from "../testing/array-files.mjs";
import {
  hasTerminal,
  inProject,
  config as llama,
  onTerminal,
  posenc,
  positions,
  right,
  script,
  withInput,
  write,
} from "./installed.mjs";

const isWindows = process.platform === "win32";
const skip = isWindows && "pipes and devices are those of Unix";
const list = positions.join(",");
const config = JSON.stringify(llama);
const other = config.replace("500000", "10000");

before(() => {
  write("config.json", config);
  write("other.json", other);
  write("before.npy", npy(right.before));
  write("after.npy", npy(right.after));
});

test("configs as Python writes them: Infinity and NaN where they decide nothing, a mark, large tables", () => {
  const same = posenc("explain", "config.json").out;
  const explained = (text) => {
    write("python.json", text);
    return posenc("explain", "python.json");
  };
  const more = (text) => config.replace("{", `{${text}, `);
  const tables = Object.fromEntries(
    Array.from({ length: 2e5 }, (_, i) => [`model.layers.${i}.mlp.experts`, "x".repeat(70)]),
  );
  for (const text of [
    `\ufeff${config}`,
    more('"time_step_limit": [0.0, Infinity], "min": -Infinity, "x": {"y": [NaN]}, "z": "NaN, // Infinity"'),
    more(`"quantization_config": ${JSON.stringify(tables)}`),
  ]) {
    const { out, error } = explained(text);
    assert.deepEqual([error, out], ["", same], text.slice(0, 80));
  }
  for (const [text, message] of [
    [config.replace("500000", "Infinity"), "rope_theta: Infinity, expected a finite number"],
    [config.replace("500000", "NaN"), "rope_theta: NaN, expected a finite number"],
    ['{\n  "a": 1, // why\n}', "no JSON (line 2: a comment)"],
    ['{\n\n/* why */ "a": 1}', "no JSON (line 3: a comment)"],
    ['{\n"a": 1,\n# why\n}', "no JSON (line 3: a comment)"],
    ['{\n"a": NaN,\n"b": True}', 'no JSON (line 3: "T")'],
    ['{\n"a": NaN,\n}', "no JSON (line 3: "],
  ]) {
    const { status, error } = explained(text);
    assert.equal(status, 3, text);
    assert.ok(error.startsWith(`posenc: python.json: ${message}`), error);
  }
});

test("a stream without an end is read as far as a file may have bytes", { skip }, () => {
  for (const [args, most] of [
    ["explain -", 2 ** 26],
    ["fixtures - -o none", 2 ** 26],
    ["diagnose --table -", 2 ** 29],
  ]) {
    const { status, error } = script(`yes '[' | posenc ${args}`);
    assert.equal(status, 3, error);
    assert.match(
      error,
      new RegExp(`^posenc: standard input: more than ${most} bytes, expected a file of at most that\n`),
    );
  }
});

test("standard output that is full: a message, and code 3 in place of the verdict's", { skip }, (t) => {
  if (!existsSync("/dev/full")) return t.skip("no /dev/full");
  for (const args of [
    "explain config.json",
    "explain config.json --json",
    "compare config.json other.json",
    "--help",
    "table --dim 4 --length 4 -o -",
    `diagnose before.npy after.npy --positions ${list} --expected other.json`,
    "explain none.json --json",
  ]) {
    const { status, error } = script(`posenc ${args} >/dev/full`);
    assert.equal(status, 3, args);
    assert.equal(error.match(/^posenc: standard output: the disk is full$/gm)?.length, 1, args + error);
    assert.doesNotMatch(error, /\n +at /);
  }
  // Where messages cannot be written either, the code is all there is.
  assert.equal(script("posenc explain none.json 2>/dev/full").status, 3);
});

test("standard output that is closed: the verdict's code, however much is printed", { skip }, () => {
  const asked = `diagnose before.npy after.npy --positions ${list}`;
  for (const [args, reader, status] of [
    [`${asked} --expected config.json`, "true", 0],
    [`${asked} --expected other.json`, "true", 1],
    [`${asked} --expected other.json --json`, "head -1", 1],
    ['frequencies --plan \'{"dim": 65536, "layout": "half"}\' --json', "head -1", 0],
    ["cache config.json --length 65536 -o -", "true", 0],
    ["explain none.json --json", "true", 3],
  ]) {
    const made = script(`posenc ${args} | ${reader}; exit "\${PIPESTATUS[0]}"`);
    assert.equal(made.status, status, args + made.error);
    assert.doesNotMatch(made.error, /EPIPE|\n +at /);
  }
});

test("- is standard input: a config, or a tensor by its first bytes", () => {
  assert.equal(withInput(config, "explain", "-").out, posenc("explain", "config.json").out);
  assert.equal(withInput(other, "compare", "config.json", "-").out, posenc("compare", "config.json", "other.json").out);
  const asked = ["--positions", list, "--expected", "config.json"];
  const wanted = posenc("diagnose", "before.npy", "after.npy", ...asked).out;
  const arrays = { q: npy(right.after), r: npy(right.before) };
  for (const [input, name] of [
    [npy(right.after), "-"],
    [npz({ q: npy(right.after) }), "-"],
    [npz(arrays), "-:q"],
    [npz(arrays, { isCompressed: true }), "-:q"],
    [safetensors({ q: right.after, r: right.before }), "-:q"],
  ]) {
    const { status, out, error } = withInput(input, "diagnose", "before.npy", name, ...asked);
    assert.equal(status, 0, error);
    assert.equal(out, wanted);
  }
  const files = ["diagnose", "before.npy", "after.npy", "--positions"];
  assert.equal(withInput(config, ...files, list, "--expected", "-").out, wanted);
  const ids = npy({ data: BigInt64Array.from(positions, BigInt), shape: [8] });
  assert.equal(withInput(ids, ...files, "-", "--expected", "config.json").out, wanted);
});

test("standard input that comes late, and in parts", { skip }, () => {
  const { status, out } = script(
    "(sleep 0.3; head -c 40 config.json; sleep 0.3; tail -c +41 config.json) | posenc explain -",
  );
  assert.equal(status, 0);
  assert.equal(out, posenc("explain", "config.json").out);
});

test("standard input that is used twice, empty, a terminal, or no such file", (t) => {
  for (const [input, args, message] of [
    [config, ["compare", "-", "-"], "-, -: expected standard input once"],
    [
      config,
      ["diagnose", "-:q", "after.npy", "--positions", "0", "--expected", "-"],
      "-:q, -: expected standard input",
    ],
    ["", ["explain", "-"], "standard input: empty, expected a file"],
    ["[1", ["explain", "-"], "standard input: no JSON"],
    ["[1]", ["explain", "-"], "standard input: expected an object of JSON"],
    ["nothing", ["diagnose", "--table", "-"], "standard input: a file that begins with 110 111"],
    [npy(right.after), ["diagnose", "--table", "-:q"], 'standard input: no array "q"'],
    [config, ["fixtures", "-", "-o", "-"], "--output: -, expected a folder"],
  ]) {
    const { status, error } = withInput(input, ...args);
    assert.equal(status, 3, error);
    assert.ok(error.startsWith(`posenc: ${message}`), error);
  }
  if (!hasTerminal()) return t.skip("no terminal");
  const terminal = onTerminal("posenc explain -");
  assert.match(terminal.out, /standard input: a terminal, expected a file or a pipe/);
  const shown = onTerminal("posenc table --dim 4 --length 4 -o -");
  assert.match(shown.out, /standard output: a terminal, expected a file or a pipe/);
});

test("-o - writes a .npy file to standard output, and what is printed to standard error", () => {
  const bytes = (...args) => withInput("", { encoding: "buffer" }, ...args);
  const table = bytes("table", "--dim", "4", "--length", "3", "-o", "-");
  assert.equal(table.status, 0);
  assert.equal(table.error.toString(), "-: table float32 [3, 4]\n");
  posenc("table", "--dim", "4", "--length", "3", "-o", "same.npy");
  assert.deepEqual(table.out, readFileSync(inProject("same.npy")));
  const cache = bytes("cache", "config.json", "--length", "5", "-o", "-", "--json");
  assert.deepEqual(fromNpy(cache.out).shape, [2, 5, 32]);
  assert.equal(JSON.parse(cache.error.toString()).file, "-");
  const bias = bytes("bias", "alibi", "--heads", "2", "--queries", "3", "--keys", "3", "-o", "-");
  assert.deepEqual(fromNpy(bias.out).shape, [2, 3, 3]);
  const wrong = bytes("table", "--dim", "0", "--length", "3", "-o", "-", "--json");
  assert.equal(wrong.status, 3);
  assert.equal(wrong.out.length, 0);
  assert.match(wrong.error.toString(), /^posenc: dim: 0, expected[\s\S]*"exitCode": 3/);
  assert.match(
    posenc("table", "--dim", "4", "--length", "3", "--dtype", "bfloat16", "-o", "-").error,
    /^posenc: -: NumPy has no bfloat16/,
  );
});

test("a pipe from one command to the next", { skip }, () => {
  const plan = `--plan '{"type": "sinusoidal", "dim": 32}'`;
  const { status, out, error } = script(`posenc table --dim 32 --length 40 -o - | posenc diagnose --table - ${plan}`);
  assert.equal(status, 0, error);
  assert.match(out, /This is what was expected\./);
});

test("--json: errors are JSON too, with the argument and the code that the library's have", () => {
  for (const [args, wanted] of [
    [["explain", "none.json"], { exitCode: 3, message: "none.json: there is no such file" }],
    [["explain"], { exitCode: 3 }],
    [["explain", "config.json", "--lang", "fr"], { exitCode: 3, message: "--lang: fr, expected en or zh" }],
    [["explian"], { exitCode: 3 }],
    [["table", "--dim", "0", "--length", "1", "-o", "x.npy"], { exitCode: 3, argument: "dim", code: "whole_from_to" }],
    [["bias", "alibi", "--heads", "x", "--queries", "1", "--keys", "1", "-o", "x.npy"], { exitCode: 3 }],
  ]) {
    const { status, out, error } = posenc(...args, "--json");
    const { error: reported } = JSON.parse(out);
    assert.equal(status, wanted.exitCode);
    for (const [name, value] of Object.entries(wanted)) assert.equal(reported[name], value, args.join(" "));
    assert.equal(error.split("\n")[0], `posenc: ${reported.message}`);
  }
  // A config that the library refuses: the message has the file's name, the error its own fields.
  write("refused.json", JSON.stringify({ ...JSON.parse(config), rope_theta: -1 }));
  const { error } = JSON.parse(posenc("explain", "refused.json", "--json").out);
  assert.match(error.message, /^refused\.json: /);
  assert.ok(error.argument && error.code, JSON.stringify(error));
});

test("more positions than a call takes arguments", () => {
  for (const command of [
    ["cache", "config.json"],
    ["table", "--dim", "4"],
  ]) {
    const { status, error } = posenc(...command, "--positions", "0..130000", "-o", "many.npy", "--force");
    assert.equal(status, 0, error);
  }
  assert.deepEqual(fromNpy(readFileSync(inProject("many.npy"))).shape, [130001, 4]);
});

test("a named pipe in a file's place is refused at once", { skip }, () => {
  for (const args of ["explain pipe", "diagnose --table pipe.npy"]) {
    const { status, error } = script(`mkfifo pipe pipe.npy 2>/dev/null; timeout 20 posenc ${args}`);
    assert.equal(status, 3, error);
    assert.match(error, /^posenc: pipe(\.npy)?: a pipe, expected a file, or - for standard input\n/);
  }
});

test("files that a full disk does not take: nothing is left behind, neither files nor folders", { skip }, () => {
  // The shell's limit of a file's size stands for a disk that fills up between two files.
  write("wide.json", config.replace("128", "1024"));
  const [first, ...others] = posenc("fixtures", "wide.json", "-o", "all").out.trimEnd().split("\n");
  const sizeOf = (file) => statSync(inProject(file)).size;
  const blocks = Math.ceil(sizeOf(first) / 512);
  assert.ok(
    others.some((file) => sizeOf(file) > blocks * 512),
    "a later file is the first that does not fit",
  );
  const full = `set -o posix; ulimit -f ${blocks}`;
  const before = readdirSync(inProject("."));
  const { status, error } = script(`${full}; posenc fixtures wide.json -o deep/fixtures`);
  assert.equal(status, 3, error);
  assert.match(error, /^posenc: deep\/fixtures\/[^\n]*; nothing was left behind\n/);
  assert.deepEqual(readdirSync(inProject(".")), before);
  // A folder that was there, and files in it, stay as they are.
  mkdirSync(inProject("there"));
  write("there/fixtures.json", "mine");
  const forced = script(`${full}; posenc fixtures wide.json -o there --force`);
  assert.equal(forced.status, 3);
  assert.deepEqual(readdirSync(inProject("there")), ["fixtures.json"]);
  assert.equal(readFileSync(inProject("there/fixtures.json"), "utf8"), "mine");
});

test("--force writes to the file that a link names, and not over the link", { skip }, () => {
  write("linked.npy", "old");
  symlinkSync("linked.npy", inProject("link.npy"));
  assert.equal(posenc("table", "--dim", "4", "--length", "3", "-o", "link.npy").status, 3);
  assert.equal(posenc("table", "--dim", "4", "--length", "3", "-o", "link.npy", "--force").status, 0);
  assert.equal(script("readlink link.npy").out, "linked.npy\n");
  assert.deepEqual(fromNpy(readFileSync(inProject("linked.npy"))).shape, [3, 4]);
  // Without its file a link is there nevertheless.
  symlinkSync("away/none.npy", inProject("dangling.npy"));
  assert.match(posenc("table", "--dim", "4", "--length", "3", "-o", "dangling.npy").error, /is there already/);
  const forced = posenc("table", "--dim", "4", "--length", "3", "-o", "dangling.npy", "--force");
  assert.equal(forced.status, 3);
  assert.equal(forced.error, "posenc: dangling.npy: a link to a file that is not there\n");
  // A folder has the name of a file that is written after others: those are not taken back, and nobody says so.
  mkdirSync(inProject("half/test_rope.py"), { recursive: true });
  const half = posenc("fixtures", "config.json", "-o", "half", "--force");
  assert.equal(half.status, 3);
  assert.match(half.error, /^posenc: \S*test_rope\.py: a folder, expected a file\n/);
  assert.deepEqual(
    readdirSync(inProject("half")).filter((name) => name.endsWith(".part")),
    [],
  );
});

test("names of files, tensors, keys and flags forge no line", { skip }, () => {
  const name = "a\nposenc: all is well\u202e";
  const isPlain = (text) => !/[^\n -~]|^posenc: all is well/m.test(text);
  write(`${name}.json`, "{}");
  write("forged.json", JSON.stringify({ ...JSON.parse(config), [`rope_${name}`]: 1, rope_scaling: { [name]: 2 } }));
  write("forged.npz", npz({ [name]: npy(right.after), other: npy(right.before) }));
  for (const args of [
    ["explain", `${name}.json`],
    ["explain", `none${name}`],
    ["explain", "forged.json"],
    ["explain", "config.json", `--${name}`],
    ["compare", "config.json", "forged.json"],
    ["diagnose", "--table", "forged.npz"],
    ["diagnose", "--table", `forged.npz:${name}x`],
    ["diagnose", "before.npy", "after.npy", "--positions", list, "--plan", `{"${name}": 1}`],
    [name],
    ["table", "--dim", "4", "--length", "2", "-o", `${name}.npy`],
  ]) {
    const { out, error } = posenc(...args);
    assert.ok(isPlain(out) && isPlain(error), `${JSON.stringify(args)}: ${out}${error}`);
  }
});
