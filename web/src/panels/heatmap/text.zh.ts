import { html } from "lit-html";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      句子里的每个位置对应一列数：上面几行的${term("sinusoid", "波")}变化快，越往下变化越慢。指向或点选图上一格，或按方向键，可以查看任意一格的算式。
    </p>
  `,
  length: "位置个数",
  dim: "维数 d",
  base: "底数 b",
  preset: "实现",
  thePaper: "原论文",
  order: "排列方式",
  orders: { interleaved: "正弦余弦交替", split: "先正弦后余弦", "cosines-first": "先余弦后正弦" },
  palette: "配色",
  palettes: { PuOr: "橙 – 紫", RdBu: "红 – 蓝" },
  positionAxis: "位置",
  dimAxis: "维度序号",
  valueAxis: "数值",
  canvas:
    "位置编码热力图。左右方向键改变位置，上下方向键改变维度；Home 和 End 到第一个和最后一个位置，Page Up 和 Page Down 一次移动十六个维度。",
  roledescription: "热力图",
  describe: (o, { order, exponent }, sentence) =>
    `从 ${plain(o.offset)} 起的 ${o.length} 个位置，${o.dim} 个维度，底数 ${plain(o.base)}，${
      o.preset === "paper" ? "" : `与 ${o.preset} 的实现一致，`
    }${{ split: "先正弦后余弦", "cosines-first": "先余弦后正弦" }[order] ?? "正弦余弦交替"}${
      exponent === "double-stepped" ? "，指数步长加倍" : ""
    }。橙色或红色为负，紫色或蓝色为正，浅色接近零。选中：${sentence}。`,
};
