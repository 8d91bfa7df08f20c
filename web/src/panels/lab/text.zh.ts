import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { storedMean } from "../../training/results";
import type { Text } from "./text.en";

export const zh: Text = {
  intro: () => html`
    <p>
      <strong>哪些编码能让模型${term("extrapolation", "处理比训练时更长的文本", "？")}</strong>这里用各种编码各训练一个小 Transformer，训练序列都很短：在 32
      个字符内预测下一个字符，判断两个符号谁先出现，或者说出往前第三个符号是什么。然后不再训练，直接拿长达八倍的序列来测试。
    </p>
    <p>
      一开始显示的是存好的结果：每种编码用同一个库训练了三次。你可以自己重做一遍。所有运算都是次序固定的
      ${term("float32", "float32", "，")}因此在你的标签页里应当得到逐位相同的权重。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>次序不等于距离。</strong>位置插值（PI）把所有位置除以拉长的倍数。次序没有变；但往前第三个符号，已经不在模型学过的那个距离上了。长度是训练时的 4 倍时，训练好的 RoPE 用上 PI，次序题答对 ${storedMean("order", "RoPE", 4, "RoPE, PI")}，距离题答对 ${storedMean("back", "RoPE", 4, "RoPE, PI")}（瞎猜是 50% 和 6%）。选“次序与距离”可以并排来看。
    </p>
    <p>
      <strong>几种方法。</strong>PI、NTK 和 YaRN 在测试时改动训练好的 RoPE。不微调直接用 PI，8 倍长度时困惑度反而更高（${storedMean("text", "RoPE", 8, "RoPE, PI")}，原样的 RoPE 为 ${storedMean("text", "RoPE", 8)}）：相邻位置的角度差缩到八分之一，模型没见过。T5 和 FIRE
      学的是随距离变化的偏置：每个桶一个数，或者一个小网络。Shaw 为每种相对位置学一个向量。FoX 给每个 token
      一个门，由词自己决定多快忘掉前文。
    </p>
    <p>
      <strong>与文献不一致之处。</strong>Kazemnejad 等（2023）认为“不加编码”和 T5 的偏置都好于
      ALiBi；这里的模型也许太浅。ALiBi 的斜率固定，又只有四个头，在训练长度处${term("perplexity", "困惑度")}为 ${storedMean("text", "ALiBi", 1)}，RoPE 为
      ${storedMean("text", "RoPE", 1)}；Press 等（2022）的实验里没有这样的差距。小模型能看出趋势，看不出大模型能外推多远。
    </p>
    <p>
      <strong>种子之间有差别。</strong>细线是单次训练，粗线是平均。细线彼此离得远的地方，只训练一次说明不了什么。
    </p>
    <p class="note">
      文本是牛顿《光学》（<cite>Opticks</cite>，伦敦，1730）第一编，属于公有领域；正文取自 Debian 的 golang-1.19-src 软件包。
    </p>
  `,
  task: "任务",
  views: [
    ["text", "下一个字符"],
    ["order", "谁先出现"],
    ["back", "回看第三个"],
    ["pair", "次序与距离"],
    ["roles", "谁爱谁"],
  ],
  tasks: { text: "下一个字符", order: "谁先出现", back: "回看第三个", roles: "谁爱谁" },
  encodings: "编码",
  names: {
    none: "不加编码",
    sinusoid: "正弦",
    concatenated: "正弦，拼接",
    learned: "可学习",
    "1 layer": "不加编码，1 层",
    "2 layers": "不加编码，2 层",
    "1 layer, no mask": "不加编码，1 层，无掩码",
    "2 layers, no mask": "不加编码，2 层，无掩码",
    "RoPE, no mask": "RoPE，1 层，无掩码",
  },
  questions: {
    text: (n, by) => `先猜一猜：读到 ${n} 个字符（训练长度的 ${by} 倍）时，哪一种的困惑度最低？`,
    order: (n, by) => `先猜一猜：序列长 ${n}（训练时最长的 ${by} 倍）时，哪一种答对得最多？`,
    back: (n, by) => `先猜一猜：序列长 ${n}（训练时最长的 ${by} 倍）时，哪一种答对得最多？`,
    roles: () =>
      "“我爱你”和“你爱我”用的是同样的词。不加位置信息，哪个模型仍能分清谁爱谁？先猜一猜再看。有掩码时，每个 token 只看得到自己和前面的 token。",
    pair: (_, by) => `先猜一猜：长度是训练时的 ${by} 倍时，哪一种的次序和距离差得最远？`,
  },
  notRight: "它分不清。",
  separator: "；",
  wrong: (guess, rank, of) => `你猜“${guess}”，${of} 种里排第 ${rank}。`,
  withValue: (name, value) => `${name}（${value}）`,
  answer: (best) => `最长处最好的是 ${best}。`,
  rightAnswers: (task) => `${task}：答对的比例`,
  learners: (names, share) =>
    `答对超过 ${share} 的：${names}。只有一层时，不论有没有掩码，看到的都只是一袋词；有掩码时，第二层可以根据第一层看到了多少个 token 推断位置。没有掩码，再深也没用：位置只能由编码给出。`,
  pairAnswer: (name, order, distance) => `${name}：次序 ${order}，距离 ${distance}，差得最远（瞎猜是 50% 和 6%）。`,
  nothingYet: "还没有训练完的结果。",
  covered: "先猜一猜",
  closed: "猜过之后，才显示超出训练长度的结果。",
  lossLabel: "训练中的损失，每种编码一条线",
  lengthLabel: (task) => `${task}：结果随长度的变化，每种编码一条线`,
  step: "步数",
  loss: "损失（nat）",
  characters: "读入的字符数",
  tokens: "序列长度",
  perplexity: "困惑度（越低越好）",
  accuracy: "正确率，%",
  learning: (task) => `${task}：学习过程`,
  stretched: (task) => `${task}：拉长之后`,
  doublings: "测试长度：训练长度加倍几次",
  unit: (n) => `→ ${n}`,
  walk: "逐步超出训练长度",
  readout: (task, what, n, by) =>
    by === 1 ? `${task}：${what}，长度 ${n}（训练长度）` : `${task}：${what}，长度 ${n}（训练长度的 ${by} 倍）`,
  stored: (version, seeds) => `图中是存好的结果，每种编码训练 ${seeds} 次（posenc ${version}）。`,
  ownRuns: (count) => `图中是这个标签页里的结果，共 ${count} 次训练。`,
  length: "训练",
  stepChoices: (less) => [
    ["full", "全部步数"],
    ["short", `步数的 1/${less}`],
  ],
  seeds: "种子",
  cost: (count, gflop) => `共 ${count} 次训练，约 ${gflop} × 10⁹ 次浮点运算。`,
  small: (less) => `根据这台设备，默认用较小的规模：步数的 1/${less}，一个种子，同时最多两个训练。`,
  play: "▶ 自己训练",
  again: "▶ 再训练一次",
  pause: "暂停",
  resume: "继续",
  stop: "停止",
  showStored: "显示存好的结果",
  showOwn: "显示这个标签页的结果",
  running: (count) => `${count} 个训练正在进行……`,
  runningShort: (count, less) => `${count} 个训练正在进行，步数是完整训练的 1/${less}……`,
  remaining: (seconds) => (seconds < 90 ? `大约还需 ${seconds} 秒。` : `大约还需 ${Math.round(seconds / 60)} 分钟。`),
  slow: (less, seconds) => `步数取 1/${less} 的话，大约 ${seconds} 秒。`,
  over: (done, same) =>
    `${done} 个训练已完成。${same === 0 ? "" : same < done ? `其中 ${same} 个与存好的逐位相同。` : "与存好的全部逐位相同。"}`,
  overFailed: (done, failed) => `${done} 个训练已完成，${failed} 个失败。`,
  rests: {
    reader: "你按了暂停。",
    unseen: "已暂停：图不在视野内。",
    hidden: "已暂停：标签页在后台。",
  },
  notStarted: (problem) => `无法开始：${problem}`,
  failed: "失败：",
  waiting: "等待中",
  starting: "正在启动",
  testing: "正在测试",
  steps: (step, steps) => `第 ${step} 步，共 ${steps} 步`,
  runs: "这个标签页里的训练",
  runColumns: ["编码", "任务", "种子", "损失", "权重的散列值", "状态"],
  same: "✓ 与存好的逐位相同",
  sameShort: "✓ 与存好的短训练逐位相同",
  differs: (stored, off) => `与存好的 ${stored} 不同${off === "" ? "" : `；测试结果最多相差 ${off}`}`,
  noStored: "没有存好的结果可比",
  noHash: "没有散列值：只有 https 页面才能计算",
  attention: "注意力头关注什么",
  noAttention: "画注意力需要训练好的权重，页面没有存权重：请自己训练一遍，再在这里选层和头。",
  of: "编码",
  layer: "层",
  head: "头",
  query: "正在看的 token",
  mapLabel: (name, layer, head, n, by) =>
    `${name} 第 ${layer} 层第 ${head} 个头的注意力权重，${n} 个 token（${by === 1 ? "训练长度" : `训练长度的 ${by} 倍`}）：每行是一个正在看的 token，每列是被看的 token`,
  looks: (token, at, keys) =>
    `位置 ${at} 的 token“${token}”主要看 ${keys}。行是正在看的 token，列是被看的 token；每一行按该行最大的权重着色。`,
  ownText: "用你自己的文本",
  ownTextHint:
    "文本只留在这个标签页里。至少 2570 个字符：最后十分之一用来测试，最长要读 256 个。更长的文本，训练步数用到多少就读多少。",
  paste: "文本",
  pasted: "你的文本",
  file: "或选择文件",
  reads: (name, count) => `下一次训练读 ${name}，共 ${count} 个字符。没有存好的结果可比。`,
  readsOurs: "下一次训练读《光学》。",
  ours: "换回《光学》",
  code: "同样的训练，用代码写",
  codeOf: (name) => `${name}，JavaScript`,
  describe: (o) =>
    `${o.task}。${o.isStored ? `存好的结果，每种编码训练 ${o.seeds} 次` : "这个标签页的结果"}：细线是单次训练，粗线是平均。`,
};
