import { html } from "lit-html";
import { plain } from "../../core/format";
import { display, frac, math, row, sup } from "../../draw/math";
import type { en } from "./text.en";

const power = sup("b", row("2", "i", "/", "d"));

export const zh: typeof en = {
  intro: () => html`
    <p>
      给句子里的每个位置配上一个独有的图案，词的先后就能从图案里读出来。2017 年的 Transformer
      用的是波：每两个维度为一对，存放同一个波的正弦和余弦；越往后的对，波长越长。
    </p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", power)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", power)))}
    <p>
      其中 ${math("p")} 是位置，${math("d")} 是维度总数，${math("b")} 是底数，通常取
      10000。下图中一列是一个位置，一行是一个维度。把鼠标移到图上，或者让图获得焦点后按方向键，就能看到这一格的算式。
    </p>
  `,
  length: "位置个数",
  dim: "维度 d",
  base: "底数 b",
  preset: "实现",
  thePaper: "原论文",
  order: "排列方式",
  interleaved: "正弦余弦交替",
  split: "先正弦后余弦",
  cosinesFirst: "先余弦后正弦",
  palette: "配色",
  puor: "橙 – 紫",
  rdbu: "红 – 蓝",
  advanced: "进阶：起始位置、缩放与指数",
  positionAxis: "位置",
  laneAxis: "维度序号",
  valueAxis: "数值",
  canvas:
    "位置编码热力图。左右方向键改变位置，上下方向键改变维度；Home 和 End 到第一个和最后一个位置，Page Up 和 Page Down 一次移动十六个维度。加号和减号放大缩小，Escape 回到整张表。",
  roledescription: "热力图",
  describe: (o, { order, exponent }, seen, sentence) =>
    `从 ${plain(o.offset)} 起的 ${o.length} 个位置，${o.dim} 个维度，底数 ${plain(o.base)}，${
      o.preset === "paper" ? "" : `与 ${o.preset} 的实现一致，`
    }${{ split: "先正弦后余弦", "cosines-first": "先余弦后正弦" }[order] ?? "正弦余弦交替"}${
      exponent === "double-stepped" ? "，指数步长翻了两次" : ""
    }。${
      seen ? `图中是第 ${seen.left} 到第 ${seen.right - 1} 列、第 ${seen.top} 到第 ${seen.bottom - 1} 维。` : ""
    }橙色或红色为负，紫色或蓝色为正，浅色接近零。选中：${sentence}。`,
};
