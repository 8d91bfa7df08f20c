// Reduces Emscripten's glue to the part that load.ts uses. All that finds, fetches and compiles a .wasm is dead then, but no
// compiler knows. The glue is read as a syntax tree; an unknown one is an error.

import { parse } from "acorn";

/** Every node of a syntax tree, with its parent. */
function* nodesOf(node, parent) {
  if (typeof node.type === "string") yield [node, parent];
  const owner = typeof node.type === "string" ? node : parent;
  for (const child of Object.values(node))
    if (typeof child === "object" && child !== null) yield* nodesOf(child, owner);
}

const read = (code) => [...nodesOf(parse(code, { ecmaVersion: "latest", sourceType: "module" }))];

/** The code with spans taken out, or replaced; they may not overlap. */
const without = (code, spans) =>
  spans
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, by = "" }) => rest.slice(0, start) + by + rest.slice(end), code);

const inside = (statement) => (statement.type === "BlockStatement" ? statement.body[0] : statement);

/** `if (options.instantiateWasm) try { return options.instantiateWasm(…) } catch …`: which return, if it is that. */
function answer({ type, test, consequent }) {
  if (type !== "IfStatement" || test.property?.name !== "instantiateWasm") return undefined;
  const tried = inside(consequent);
  return tried.type === "TryStatement" && tried.block.body[0].type === "ReturnStatement"
    ? tried.block.body[0]
    : undefined;
}

/** Ends the function that gets the module at the return that is always taken. */
function withoutFallback(code) {
  const found = read(code).flatMap(([node, parent]) => {
    const always = answer(node);
    if (!always) return [];
    const below = parent.body.filter(({ start }) => start > node.end);
    // Functions declared below it can be called above.
    const hoisted = below.filter(({ type }) => type === "FunctionDeclaration");
    const by = [always, ...hoisted].map(({ start, end }) => code.slice(start, end)).join("\n");
    return [{ start: node.start, end: (below.at(-1) ?? node).end, by }];
  });
  if (found.length !== 1)
    throw new Error(`the glue asks ${found.length} times for instantiateWasm, expected one function that asks once`);
  return without(code, found);
}

/** Without the statements that find out where the script is: its .wasm would be beside it. */
function withoutPlace(code) {
  const nodes = read(code);
  const isPlace = ({ type, left, right }) =>
    type === "AssignmentExpression" &&
    left.type === "Identifier" &&
    code.slice(right.start, right.end) === "document.currentScript.src";
  const [place] = nodes.find(([node]) => isPlace(node)) ?? [];
  if (!place) throw new Error("the glue does not assign document.currentScript.src, expected that it does");
  const { name } = place.left;
  const has = (node, what) => [...nodesOf(node)].some(([inner]) => what(inner));
  const asks = (statement) =>
    statement.type === "ExpressionStatement" &&
    has(statement, (inner) => inner.type === "Identifier" && inner.name === name) &&
    // Elsewhere in a function the name may be another's.
    !has(statement, isFunction);
  const blocks = nodes.map(([node]) => node).filter(({ type }) => type === "BlockStatement");
  const { body } = blocks.find((block) => block.body.some((statement) => asks(statement) && has(statement, isPlace)));
  return without(code, body.filter(asks));
}

const isFunction = (node) => /^(Arrow)?Function(Expression|Declaration)$/.test(node?.type);

const calls = (node) => [...nodesOf(node)].some(([{ type }]) => /^(Call|New)Expression$/.test(type));

/** An expression without effects. */
const isIdle = (init) =>
  !init || isFunction(init) || init.type === "Literal" || (init.type === "ConditionalExpression" && !calls(init));

/** A declaration of a function, or of a variable that is a function's, a constant's or nothing yet. */
const mayGo = ([node, parent]) =>
  node.type === "FunctionDeclaration"
    ? !/^Export/.test(parent.type)
    : node.type === "VariableDeclarator" && parent.kind === "var" && isIdle(node.init);

/** The span of a declaration, with the comma that separates it from others. */
function spanOf([node, parent]) {
  if (node.type === "FunctionDeclaration") return node;
  if (parent.declarations.length === 1) return parent;
  const at = parent.declarations.indexOf(node);
  return at > 0
    ? { start: parent.declarations[at - 1].end, end: node.end }
    : { start: node.start, end: parent.declarations[1].start };
}

/** Without one function whose name occurs nowhere else, whatever the scope; `undefined` when there is none. */
function withoutOrphan(code) {
  const nodes = read(code);
  const times = new Map();
  for (const [{ type, name }] of nodes) if (type === "Identifier") times.set(name, (times.get(name) ?? 0) + 1);
  // A function that is only assigned.
  const assigned = nodes.find(
    ([{ type, expression }]) =>
      type === "ExpressionStatement" &&
      expression.type === "AssignmentExpression" &&
      isFunction(expression.right) &&
      times.get(expression.left.name) === 2,
  );
  if (assigned) return without(code, [assigned[0]]);
  const orphan = nodes.find(
    (entry) => mayGo(entry) && entry[0].id?.type === "Identifier" && times.get(entry[0].id.name) === 1,
  );
  return orphan && without(code, [spanOf(orphan)]);
}

/** What no caller of the glue uses: views of the memory (block.ts makes its own), advice to whoever compiles it. */
const unused = /\w+\.HEAP(?!F64)\w+=(?:(\w+=.*?;)|.*?;)|\+". Build with.*?"/g;

/** The glue without what is dead. */
export function trimGlue(code) {
  let trimmed = withoutPlace(withoutFallback(code.replace(unused, "$1")));
  for (let next = withoutOrphan(trimmed); next !== undefined; next = withoutOrphan(trimmed)) trimmed = next;
  return trimmed;
}
