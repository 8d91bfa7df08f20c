import { load } from "posenc/tools";
import { caseOf } from "./generator.mjs";
const pe = await load();
const by = {};
for (let s = 1; s <= 300; ++s) {
  const c = caseOf(s, { isSmall: true });
  let b = performance.now();
  let ans;
  try {
    ans = pe.diagnose(c.samples, { expected: c.expected });
  } catch (e) {}
  let d = performance.now() - b;
  const k = c.kind + (c.expected ? "" : " n") + " " + ans?.verdict;
  by[k] ??= [0, 0, 0, []];
  by[k][0]++;
  by[k][1] += d;
  by[k][3].push([d.toFixed(0), s]);
}
for (const [k, [n, x, y, l]] of Object.entries(by)
  .sort((a, b) => b[1][1] - a[1][1])
  .slice(0, 14))
  console.log(
    k.padEnd(30),
    n,
    (x / n).toFixed(1),
    x.toFixed(0),
    l
      .sort((a, b) => b[0] - a[0])
      .slice(0, 4)
      .join(" "),
  );
