// The sentences of diagnose in Chinese.

import { mistakeSentences } from "./mistake-sentences.js";
import { type Numbers, runs, short } from "./sentence-parts.js";
import type { en } from "./sentences.en.js";

export const zh: typeof en = {
  mistakes: mistakeSentences.zh,
  remedies: {
    dims: "重排输出的维度：第 i 维应取现在的第 dimensions[i] 维。",
    rows: "重排 W_q 和 W_k 中每个头的行：第 i 行应取现在的第 rows[i] 行。",
    again: "按预期的方案重新计算频率。已缓存的键先按查出的方案反向旋转，再按预期的方案旋转。",
    rotate: "按位置旋转查询和键。",
    still: "这一层不要旋转。",
    factor: ({ factor }) => (factor === 1 ? "使用预期的系数。" : `乘以 ${short(factor)}。`),
    temperature: "把每个查询乘以其位置的温度系数。",
    sign: "将正弦取反。",
    exchange: "交换正弦和余弦。",
    shift: ({ shift }) => (shift === 0 ? "从预期的位置开始。" : `位置加上 ${short(shift)}。`),
    positions: ({ scale }) => (scale === 1 ? "位置保持不变：只缩放频率。" : `位置乘以 ${short(scale)}。`),
    precision: "每个角度单独计算，精度不低于 float32；舍入余弦和正弦，不要舍入角度。",
    stored: "频率、余弦和正弦保持 float32，无论模型的其余部分转成什么类型。",
    arithmetic: "按指定的精度计算角度。",
    sines: "正弦和余弦取自同一行。",
    places: "给每个 token 预期的位置。",
    along: "沿序列所在的轴旋转：指明这个轴，或把它移到代码预期的位置。",
    once: "每个键只在存入时旋转一次。",
    complete: "旋转并写出所有 token 和所有的头。",
    form: "给代码它自己形式的缓存：每对维度的值放在它读取的地方。",
    times: "按指定的规则计算位置编号。",
    axes: "按预期的分段和顺序把维度对分给各轴。",
    columns: "重排表的列。",
    column: "计算最后一列：最后一对之后那个频率的正弦。",
    row: "只把填充位置的那一行设为零。",
    bias: "按预期的参数计算偏置，其余无误。",
  },
  of: {
    bias: {
      mistakes: {
        sign: "数值的符号相反，或者查询和键互换了。",
        "first-position": "第一个查询的位置不同。",
        "factor-other": "斜率被乘以一个系数。",
      },
      remedies: {
        sign: "将数值取反，或者交换查询和键。",
        shift: ({ shift }: Numbers) =>
          shift === 0 ? "把第一个查询放在预期的位置。" : `查询的位置加上 ${short(shift)}。`,
      },
    },
    sinusoidal: {
      mistakes: {
        sign: "正弦的符号相反。",
        "not-rotated": "所有行都相同。",
        "exponent-head-dim": "指数的分母是另一个数：表的维度数。",
        "exponent-rotary-dim": "指数的分母不是表的维度数，而是另一个数。",
      },
      remedies: { again: "按预期的参数计算整个表。" },
    },
    frequencies: { mistakes: {}, remedies: { again: "按预期的方案计算频率。" } },
    ids: {
      mistakes: {
        "first-position": "所有编号都加了同一个数。",
        "scaling-other": "时间的速率不同，或者用了另一种规则。",
        "axes-order": "编号的各个轴互换了。",
        "axis-missing": "某个轴用了另一个轴的编号，或者用了 token 的序号。",
      },
      remedies: {
        again: "按预期的预设计算编号。",
        axes: "按预设的顺序给每个轴自己的编号。",
        shift: ({ shift }: Numbers) => (shift === 0 ? "编号从预期的值开始。" : `编号加上 ${short(shift)}。`),
      },
    },
    made: {
      mistakes: {
        sign: "正弦的符号相反，或者查询和键互换了。",
        "axes-order": "网格的两个轴互换了：高用了宽的坐标。",
        "first-position": "格子的序号从别的数开始。",
        "position-scale": "坐标的归一化方式不同，或者没有归一化。",
        restarted: "各轴应当各有频率却共用一份，或者相反。",
        "scaling-other": "这是另一个预设的编码。",
        arrangement: "正弦、余弦和各轴所在的列不同。",
      },
      remedies: {
        sign: "按正方向旋转；偏置则互换查询和键。",
        dims: "按预期的布局配对旋转。",
        again: "按预期的选项计算。",
        shift: "序号从预期的数开始。",
        positions: "按预期的方式计算坐标。",
        axes: "给每个轴它自己的坐标，给每个格子它自己的位置。",
        columns: "把正弦、余弦和各轴放到预期的列。",
      },
    },
  },
  directed: {
    half: "现在是前后两半配对（half），应为相邻两维配对（interleaved）。",
    interleaved: "现在是相邻两维配对（interleaved），应为前后两半配对（half）。",
    causal: "偏置是因果的，应为双向。",
    symmetric: "偏置是双向的，应为因果。",
    row: "多了一行零。",
    "no-row": "缺少一行零。",
    twice: "位置翻了一倍，或者向量旋转了两次。",
  },
  patterns: {
    "positions-joined": ({ at }) => `文档从${at}开始，位置应当重新开始，却继续往后数。`,
    "positions-restarted": ({ at }) => `位置在${at}重新开始，应当继续往后数。`,
    "padding-counted": ({ at }) => `填充也占了位置：位置在填充的边缘（${at}）没有中断。`,
    "padding-skipped": ({ at }) => `填充没有占位置：位置在填充的边缘（${at}）开始或结束。`,
    "positions-clamped": ({ at, by }) => `位置被截断在 ${by}，见${at}。`,
    "offset-from": ({ at, by }) => `在${at}的一侧，位置加了 ${by}。`,
    "tokens-not-rotated": ({ at }) => `没有旋转（同位置 0）：${at}。`,
  },
  amounts: {
    "positions-modulo": (by) => `位置对 ${by} 取了余数。`,
    "positions-constant": (by) => `所有 token 的位置都是 ${by}。`,
  },
  tokensAt: (tokens) => `第 ${tokens} 个 token（从 0 数起）`,
  verdicts: {
    certain: () => "列出的所有错误，无论单独还是成对，都没有其他能解释这些数值的。",
    likely: () => "其中的数是估计出来的：任何列表中都没有。",
    ambiguous: (count) => (count > 1 ? `这些数值无法区分 ${count} 种解释。` : "这些数值还符合其他解释。"),
    "too-little": () => "这些数值什么也说明不了：任何编码都会得到它们，例如输入全为零，或者只有一个位置。",
    none: () => "已知的编码都不能解释这些数值。",
  },
  partial: "这些数值只是一部分：其余的不能确定。",
  outputs: {
    neither: "两个输出都与预期一致。",
    a: "第一个输出是错的。",
    b: "第二个输出是错的。",
    both: "两个输出都是错的。",
    unknown: "根据给出的内容，无法判断有没有错、哪个错。",
  },
  asExpected: "与预期一致。",
  next: (what) => `可以用来区分的有：${what.join("；")}。`,
  places: {
    positions: (list) => `位置 ${list}`,
    distances: (list) => `距离 ${list}`,
    grid: (list) => `${list} 的网格`,
  },
  readTo: (most) => `位置是从数值中读出的：找到 ±${most} 为止。`,
  layer: (layer) => `取的是第 ${layer} 层。`,
  axis: ([taken, ...others]) =>
    others.length === 0
      ? `序列取作第 ${taken} 轴。`
      : `序列取作第 ${taken} 轴，而第 ${others.join("、")} 轴一样长：请指明 seqAxis。`,
  departs: ({ tokens, heads, pairs, ofTokens }) => {
    const where = [heads.length > 0 && `，头 ${runs(heads)}`, pairs.length > 0 && `，维度对 ${runs(pairs)}`];
    return `与预期不符之处：${ofTokens} 个 token 中的 ${tokens.length} 个（${runs(tokens)}）${where.filter(Boolean).join("")}（从 0 数起）。`;
  },
  joined: (sentences) => sentences.join(""),
};
