import { html } from "lit-html";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      你的模型是怎么旋转的？把 Hugging Face 上的
      <code>config.json</code> 贴进来，旧写法（<code>rope_scaling</code>）和新写法（<code>rope_parameters</code>）都行。库会读出每种层的做法：多少维参与旋转，哪两维配对，缩放后的频率，注意力系数。内容不会离开你的浏览器；只要不超过
      8000 个字符，它还会保存在链接里。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>这样读，不靠猜。</strong>rope 字典里不起作用的键会列出来。遇到布局未知的模型类型，布局就空着，因为布局错了得分也会错，而且不会报错。不可能正确的值会被拒绝，并指出是哪个键。
    </p>
  `,
  examples: "例子",
  own: "我的",
  paste: "config.json",
  "no-json": "这不是 JSON：",
  refused: "计算库不接受这样的输入：",
  "too-large": "这里最多能画 4096 对维度；这份配置的对数是：",
  plans: "每种层的做法",
  columns: ["层", "旋转的维数", "布局", "底数", "规则", "注意力系数", "频率 ω′，首 … 末", "最长波长"],
  allLayers: "所有层",
  warnings: "值得留意",
  noWarnings: "没有特别之处。",
  noLayout: "不知道这种模型的布局，需要指明是 half 还是 interleaved。",
  partial: (rotated, dim) => `${dim} 维中只有 ${rotated} 维旋转，其余原样通过。`,
  needsLength: "频率取决于文本有多长，长度可在下面设定。",
  sections: (sections) => `位置有三个分量：时间、高、宽分别转动 ${sections} 对。`,
  factor: (factor) => `余弦和正弦都乘以 ${factor}，得分则乘以它的平方。`,
  unknown: (keys) => `没有起作用的键：${keys}。`,
  settings: "规则的参数：",
  length: "文本长度",
  trained: (length) => `训练到 ${length}`,
  chart: {
    label: "各对维度在缩放前后的波长。左右方向键选择一对。",
    roledescription: "图表",
    pair: "第 i 对",
    wavelength: "波长（位置数）",
    before: "λ 只按底数",
    after: "λ′ 这个模型里",
  },
  nothing: "没有方案：没有可以读懂的 config。",
  describe: (plans, layers, rotated, longest) =>
    `共 ${plans} 种方案。当前显示：${layers}，${rotated} 维旋转，最长波长 ${longest} 个位置。`,
};
