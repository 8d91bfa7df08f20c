// The functions of the compiled module as Embind itself declares them (emcc --emit-tsd), compared with what
// bindings/js/*.d.ts tell TypeScript of them: otherwise only a call would find a wrong number of arguments.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { build, root } from "../../bindings/setup/paths.mjs";
import { programOf } from "./public-api.mjs";

const generated = join(build, "wasm", "bindings", "declarations", "posenc_full.d.ts");
const sources = join(root, "bindings", "js");
const declarations = readdirSync(sources).filter((file) => file.endsWith(".d.ts"));

const program = programOf([generated, ...declarations.map((file) => join(sources, file))], {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
});
const checker = program.getTypeChecker();

/** The properties of an exported type: { name: type }. */
function propertiesOf(module, name) {
  const symbol = checker.getExportsOfModule(module).find((one) => one.name === name);
  const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  return Object.fromEntries(properties.map((property) => [property.name, checker.getTypeOfSymbol(property)]));
}

const ambient = checker.getAmbientModules().find(({ name }) => name === '"posenc-module"');
const declared = propertiesOf(ambient, "FullModule");
const made = propertiesOf(checker.getSymbolAtLocation(program.getSourceFile(generated)), "MainModule");

const isFunction = (type) => type.getCallSignatures().length > 0;
const typesOf = ({ parameters }) => parameters.map((parameter) => checker.getTypeOfSymbol(parameter));
const text = (type) => checker.typeToString(type);

/** What is wrong with a function's declaration, given Embind's. */
function wrong(ours, theirs) {
  const [own, real] = [ours, theirs].map((type) => type.getCallSignatures()[0]);
  const [given, taken] = [own, real].map(typesOf);
  if (given.length !== taken.length) return `${given.length} arguments, Embind has ${taken.length}`;
  const i = given.findIndex((type, at) => !checker.isTypeAssignableTo(type, taken[at]));
  if (i >= 0) return `argument ${i}: ${text(given[i])}, Embind has ${text(taken[i])}`;
  const [result, back] = [own, real].map((signature) => signature.getReturnType());
  if (!checker.isTypeAssignableTo(back, result)) return `gives ${text(result)}, Embind ${text(back)}`;
  return undefined;
}

test("there is something to compare", () => {
  assert.deepEqual(
    program.getSemanticDiagnostics(program.getSourceFile(generated)).map(({ messageText }) => messageText),
    [],
  );
  assert.ok(Object.values(made).filter(isFunction).length > 100);
});

test("both have the same names", () => {
  const names = (module) => Object.keys(module).filter((name) => !/^HEAP/.test(name));
  assert.deepEqual(names(declared).sort(), names(made).sort());
});

test("every function is declared as Embind has it", () => {
  const both = Object.keys(declared).filter((name) => isFunction(declared[name]) && made[name]);
  const found = both.map((name) => [name, wrong(declared[name], made[name])]).filter(([, what]) => what);
  assert.deepEqual(Object.fromEntries(found), {});
});

test("a wrong declaration is found", () => {
  assert.match(wrong(declared.rotaryFree, made.rotaryApply), /^1 arguments, Embind has 7$/);
  assert.match(wrong(declared.linear, made.sinusoidTable), /^argument 4: number, Embind has EmbindString/);
  assert.match(wrong(declared.rotaryDim, made.rotaryFree), /^gives number, Embind void/);
});
