import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      把模型的 <code>config.json</code> 贴进来，看它怎样处理位置：多少维参与旋转、怎样配对、${term("frequency", "频率")}是多少。内容不会离开你的浏览器。
    </p>
  `,
  outro: () => html`
    <p>
      Hugging Face 上的配置，旧写法（<code>rope_scaling</code>）和新写法（<code>rope_parameters</code>）都能读。库会读出每种层的做法：多少维参与旋转，哪两维配对，缩放后的频率，注意力缩放因子；还会指出哪些地方不寻常、哪些可能出错，并比较两个模型。
    </p>
    <p>
      <strong>凡是假定的，都标明是假定。</strong>rope 字典里未使用的键会列出来。遇到布局未知的模型类型，布局就空着，因为布局错了得分也会错，而且不会报错。无效的值会报错，并指出是哪个键。
    </p>
  `,
  examples: "例子",
  own: "我的",
  paste: "config.json：粘贴文本，或把文件拖到这里",
  tooLarge: (pairs) => `这里最多能画 4096 对维度；这份配置有 ${pairs} 对。`,
  notInLink: (length, most) => `全部 ${length} 个字符都会读取，但链接里不保存：链接最多容纳 ${most} 个字符。`,
  plans: "每种层的做法",
  columns: ["旋转的维数", "布局", "底数", "扩展方法", "注意力缩放因子", "最高频率 ω′", "最低频率 ω′", "最长波长"],
  allLayers: "所有层",
  explained: "这个模型怎样处理位置",
  kinds: { risk: "可能出错的地方", unusual: "移植时容易出错的地方", does: "它的做法", evidence: "依据" },
  frequencies: "它的频率",
  none: "不比较",
  compare: "两者的差别",
  compareWith: "与之比较",
  pasteOther: "另一份 config.json：粘贴文本，或把文件拖到这里",
  same: "没有差别。",
  layerCounts: (a, b) => `前一个有 ${a} 层，后一个有 ${b} 层；只比较两者都有的层。`,
  differing: (layers) => `第 ${layers.replaceAll(", ", "、")} 层的差别`,
  differenceColumns: ["", "这个模型", "另一个"],
  noEffect: "这里有一方不旋转，或旋转的维不同，或方向相反，角度无法比较。",
  effect: "查询与键因此相差多少（所有维度对中的最大值）",
  effectColumns: ["距离", "角度（弧度）", "余弦", "长度为 1 的向量的得分"],
  traits: {
    encoding: "编码",
    base: "底数",
    scaling: "扩展方法",
    attentionFactor: "注意力缩放因子",
    layout: "布局",
    inverse: "反方向",
    mrope: "各轴的维度对",
    dims: "旋转的维",
    mask: "注意力的方向",
    reach: "查询能看到的键",
    temperature: "查询的温度",
    scale: "得分的系数",
    norm: "查询和键的归一化",
    softcap: "得分软上限（softcap）",
    sinks: "注意力汇（attention sink）",
    indexer: "索引器",
    compression: "一个压缩键代表的位置数",
    rotatesOutputs: "输出转回",
    secondEncodings: "另外的编码",
  },
  engines: {
    title: "引擎里该怎样设置",
    engine: "引擎",
    none: "不选",
    tokens: "要处理的 token 数",
    status: {
      "as-is": "config.json 不用改，它的做法与模型相同。",
      write: "这样设置后，它的做法与模型相同。",
      cannot: "它做不到与模型相同。",
      "not known": "未知：没有为这个模型读过它的源码，或者这个长度没有已知的方法。",
    },
    rule: (length, rule, factor, original) =>
      `${length} 个 token：方法 ${rule}，扩展倍数 ${factor}${original && `，原长度 ${original}`}。`,
    config: "config.json 的键",
    gguf: "GGUF 文件的键",
    flags: "命令行参数",
    departs: "与模型不同的地方",
    cache: "缓存的键和值",
    cacheColumns: ["层", "缓存什么", "每层每个 token 的字节数", "最多几个 token"],
    kinds: { "keys-values": "键和值", latent: "潜向量", state: "固定大小的状态，不计", shared: "共用" },
    total: (length, bytes) => `一条 ${length} 个 token 的序列：${(bytes / 2 ** 30).toPrecision(3)} GiB。`,
    missing: (key) => `缓存多少未知：缺少 ${key}。`,
  },
  settings: "扩展方法的参数：",
  length: "文本长度",
  trained: (length) => `训练长度 ${length}`,
  chart: {
    label: "各对维度在缩放前后的波长。左右方向键选择一对。",
    pair: "维度对序号 i",
    wavelength: "波长（位置数）",
    before: "λ 只按底数",
    after: "λ′ 这个模型里",
  },
  nothing: "无法解析该配置。",
  describe: (plans, layers, rotated, longest) =>
    `${plans === 1 ? "" : `共 ${plans} 种做法，当前显示：`}${layers}：${rotated} 维旋转，最慢一对转一圈${longest < 1e4 ? ` ${Math.round(longest)} ` : `约 ${Math.round(longest / 1e4)} 万`}个位置。`,
};
