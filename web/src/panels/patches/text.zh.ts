import { html } from "lit-html";
import { display, frac, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每个图块的颜色是它与选定图块的相似度：RoPE
      在这里既按行又按列旋转。点击一个图块，其余图块都与它比较；指向另一个图块可以读出数值。用键盘时，方向键移动，回车键选定。
    </p>
  `,
  outro: () => html`
    <p>
      图像有两个方向，RoPE 也跟着变成二维：第 y 行第 x
      列的图块，行和列都会使它旋转。如果所有图块的向量都相同，两个图块的得分就是各对维度的余弦的平均：
    </p>
    ${display(
      row(
        frac(row("2"), "d"),
        "∑",
        "cos",
        row("(", "Δ", "y", "·", sub("ω", row("y", ",", "i")), "+", "Δ", "x", "·", sub("ω", row("x", ",", "i")), ")"),
      ),
    )}
    <p>
      <strong>轴向与混合。</strong>轴向旋转里，每对维度只管一个方向：一部分随行转，另一部分随列转。图上会出现十字，因为同行或同列的图块无论隔多远都保持相似。混合旋转给每对维度一个自己的方向，由训练学得；这里按训练开始时的做法，由种子随机产生，十字便消失了。无论哪一种，得分都只取决于
      Δy 和 Δx，正如文档 002 所说。
    </p>
  `,
  rule: "旋转方式",
  axial: "轴向",
  mixed: "混合",
  rows: "图块行数",
  columns: "图块列数",
  pairs: "每个方向的对数 d/4",
  base: "底数 b",
  seed: "种子",
  chosenRow: "选定：行",
  chosenColumn: "选定：列",
  overRow: "比较：行",
  overColumn: "比较：列",
  drift: (y, x) => `整幅图像移动 (${y}, ${x}) 后，得分的最大变化`,
  label: "选定图块与其余图块的相似度。方向键移到另一个图块，回车键或空格键选定它。",
  roledescription: "图块网格",
  mrope: "文本中间的图像：M-RoPE",
  mropeNote:
    "Qwen2-VL 给每个 token 三个位置：时间、高、宽。文本里三者相等。图像内 token 的时间位置相同，行和列各自计数；图像之后的文本从至今最大的位置往后接。四个图块合成一个 token。",
  before: "前面的文本",
  after: "后面的文本",
  none: "无",
  imageRows: "图像：token 行数",
  imageColumns: "图像：token 列数",
  imageIds: "文本 token 的位置，以及图像 token 的时间、高、宽三个位置",
  ids: "每个 token 的位置（▦ 为图像）",
  token: "token",
  axes: ["时间 t", "高 h", "宽 w"],
  next: "下一个 token 的位置等于它的序号加 rope_delta：",
  describe: (height, width, rule, chosen, low, high) =>
    `${height} × ${width} 个图块，${rule}旋转。与图块 (${chosen}) 的相似度，其余图块在 ${low} 到 ${high} 之间。紫色或蓝色表示相似，橙色或红色表示相反；底下透出原图。`,
};
