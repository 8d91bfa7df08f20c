import { html } from "lit-html";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>点选一个词或图像的一块，看它的三个位置。</strong>你的句子中间插进一幅图像：每过一个词，三个位置同时加一；图像的词元（token）共用一个时间位置，只数各自的行和列。
    </p>
  `,
  outro: () => html`
    <p>
      M-RoPE（Qwen2-VL）给每个 token 三个位置：时间、高、宽。文本里三者相等，也就是普通的
      RoPE。图像内时间不变，高随行增加，宽在每一行重新开始。四个图块合成一个 token。
    </p>
    <p>
      <strong>图像之后，文本从已用过的最大位置加一接着数。</strong>所以一幅 3 × 4 个 token
      的图像只占四个位置，而不是十二个；图文混排的长文本也就不那么容易超出训练长度。下一个 token 的位置与它的序号之差就是
      <code>rope_delta</code>：模型借助缓存往下生成时要用到它。
    </p>
  `,
  label: "词与图像，每个 token 下面是它的时间、高、宽三个位置，画成阶梯",
  field: "图像的 token：用方向键选择。词在上面的句子里选，也可以点选。",
  roledescription: "文本与图像的 token",
  axes: ["时间 t", "高 h", "宽 w"],
  token: "token",
  before: "图像之前的词",
  after: "图像之后的词",
  none: "无",
  imageRows: "图像：token 行数",
  imageColumns: "图像：token 列数",
  tokens: "token 数",
  next: "下一个词的位置",
  textToken: (word, token, id) =>
    `${word === undefined ? "尚未写出的词" : `“${word}”`}，token ${token}（从 0 起）：t = h = w = ${id}`,
  imageToken: (row, column, token, [t, h, w]) =>
    `图像行 ${row}、列 ${column}，token ${token}（都从 0 起）：t = ${t}，h = ${h}，w = ${w}`,
  left: (words, tokens) =>
    words > tokens
      ? `句子共 ${words} 个词，这里有前 ${tokens} 个；图像前后各可放 12 个，见更多设置。`
      : words < tokens
        ? `句子共 ${words} 个词；圆点表示后面还会有文本。`
        : "",
  describe: (before, [rows, columns], after, next) =>
    `${before} 个文本 token，一幅 ${rows} × ${columns} 个 token 的图像，再 ${after} 个文本 token；文本从位置 ${next} 接着数。`,
};
