import { html } from "lit-html";
import { claim } from "../../core/claim";
import { meanCosine } from "./formulas";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>点选一个图块：颜色表示，只看位置，其他图块与它有多相似。</strong>图像切成图块，RoPE
      按行和列旋转每个图块。再指向或滑到另一个，就能读出数值；用键盘时，方向键移动，回车键选定。
    </p>
  `,
  outro: () => html`
    <p>
      图像有两个方向，RoPE 也跟着变成二维：第 y 行第 x
      列的图块，行和列都会使它旋转。如果所有图块的向量都相同，两个图块的得分就是各对维度的余弦的平均：
    </p>
    ${meanCosine()}
    <p>
      <strong>为什么是十字？</strong>每对维度只管一个方向：一半随行转，一半随列转。所以同行或同列的图块，比同样远的其他图块更相似。得分只取决于
      Δy 和 Δx，正如${claim("C16", "博文 C")} 所说：整幅图像平移，颜色都不变。
    </p>
  `,
  rows: "图块行数",
  columns: "图块列数",
  pairs: "每个方向的维度对数 d/4",
  base: "底数 b",
  chosenRow: "选定：行（从 0 起）",
  chosenColumn: "选定：列（从 0 起）",
  overRow: "比较：行（从 0 起）",
  overColumn: "比较：列（从 0 起）",
  fallOff: (near, far) => html`相似度沿行、沿列都会下降：相隔一列是 ${near}，最远的角上是 ${far}。`,
  label: "选定图块与其余图块的相似度。方向键移到另一个图块，回车键或空格键选定它。",
  roledescription: "图块网格",
  describe: (height, width, chosen, low, high) =>
    `${height} × ${width} 个图块。与图块 (${chosen})（从 0 起）相比，其余图块的相似度在 ${low} 到 ${high} 之间。紫色表示相似，橙色表示相反。`,
};
