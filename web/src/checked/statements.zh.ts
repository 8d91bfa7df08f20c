import type { Statements } from "./statements.en";

export const statements: Statements = {
  A1: {
    statement: "8 个位置、32 维的正弦编码表。",
    found: (n) =>
      `${n.rows} 行，与浏览器的 Math.sin、Math.cos（双精度）相比，最大相差 ${n.off}，不超过舍入到 float32 的误差。`,
  },
  A2: {
    statement: "这种编码能够捕捉相对位置。",
    found: (n) => `一个只由 k = ${n.by} 决定的矩阵，把 ${n.rows} 行全部移动 ${n.by} 个位置：最大相差 ${n.off}。`,
  },
  A3: {
    statement: "每个位置都有独一无二的编码。",
    found: (n) =>
      `${n.rows} 个位置，float32 下${n.exact === "0" ? "没有重复的行" : `有 ${n.exact} 行重复`}。舍入到 bfloat16 以后，2 维的有 ${n.lost} 行与前面的某行相同，32 维的${n.kept === "0" ? "没有" : `有 ${n.kept} 行`}。第 0 行到最近一行的距离平方：2 维 ${n.narrow}，32 维 ${n.wide}。`,
  },
  A4: {
    statement: "8 个词的相对编码形状为 (8, 8, 32)，只取决于 j − i。",
    found: (n) =>
      `${n.queries} × ${n.keys} × ${n.width} = ${n.entries} 个数；每一行与 j − i 的编码相比，最大相差 ${n.off}。`,
  },
  A5: {
    statement: "文中的类能生成这种相对编码。",
    found: (n) =>
      `照原样运行，构造函数就会报错：传给 torch.sin 的是 Python 的 float。改好这一处，还剩两个错误。下标 i 本来就隔二取一，指数因此翻倍：最低频率成了 ${n.printed}，公式给出 ${n.lowest}。负的列号又是从末尾数起的：${n.offsets} 个距离只剩 ${n.kept} 列，${n.lost} 个被覆盖。${n.cells} 对词里，只有 ${n.right} 对得到正确的编码。（最后查表要求二维的表，还会再报一次错。）`,
  },
  A6: {
    statement: "rotate_every_two 配上 x cos + rotate_every_two(x) sin，旋转每一对维度。",
    found: (n) =>
      `${n.dim} 维时，若各角度依次列出、再重复一遍，它就是 RoPE（相差 ${n.off}），配对的是第 0 维与第 ${n.partner} 维，依此类推（前后两半的布局）。若照“every two”的字面意思，每个角度连写两次、让相邻两维配对，则相差 ${n.neighbours}。文中没有说明 cos 与 sin 怎样排列。`,
  },
  A7: {
    statement: "旋转之后 Q 呈现周期性的模式。",
    found: (n) =>
      `${n.dim} 维的常量 Q，在每个平面里经过一个波长（${n.shortest} 到 ${n.longest} 个位置）都回到原处：最大相差 ${n.off}；经过半个波长则方向相反：最大相差 ${n.half}。`,
  },
  B1: {
    statement: "序列较长时，编码会变得相似。",
    found: (n) =>
      `相邻两个编码的点积在位置 0 是 ${n.near}，在位置 ${n.position} 是 ${n.far}：变化 ${n.growth}。它只取决于距离。`,
  },
  B2: {
    statement: "相对位置以矩阵 R 进入注意力：softmax((QKᵀ + R) / √d) V。",
    found: (n) =>
      `按公式先加 R、再除以 √d，${n.n} 个词，逐步计算与库的注意力相比，最大相差 ${n.inside}。但已发表的方法不把偏置除以 √d（ALiBi 加在除过的得分上，T5 干脆不除）：除过再加同一个 R，输出最多相差 ${n.alibi}（ALiBi）、${n.t5}（T5 分桶）、${n.learned}（可学习的 R）。只有把 R 理解为这些偏置的 √d 倍，公式才成立。`,
  },
  B3: {
    statement: "需要预先计算并存储所有可能的相对位置差。",
    found: (n) =>
      `${n.n} 个词有 ${n.all} 对，相对位置差却只有 ${n.differences} 种。存这么多个值的一行（${n.line} 字节），就能展开成整个矩阵（${n.pairs} 字节），相差 ${n.off}。正如它所说：每种差都要，存一次就够。`,
  },
  B4: {
    statement: "除以 √d 可以防止 softmax 饱和。",
    found: (n) =>
      `${n.dim} 维时，q·k 的均方是 ${n.variance}。128 个权重中最大的那个，不除时平均为 ${n.bare}，除以后为 ${n.divided}（完全均匀是 ${n.even}）。`,
  },
  B5: {
    statement: "带 W^Q、W^K、W^V、W^O 的多头注意力。",
    found: (n) => `${n.heads} 个头、${n.n} 个词，每个头有自己的偏置：一次算出与逐步拼接相比，最大相差 ${n.off}。`,
  },
  B6: {
    statement: "X = 词嵌入 + 位置编码，dropout 0.1，max_len 5000。",
    found: (n) =>
      `评估模式下是精确相加（相差 ${n.evaluated}）。训练时有 ${(100 * Number(n.dropped)).toFixed(1)}% 的元素变为 0，均值从 ${n.before} 变到 ${n.after}。`,
  },
  B7: {
    statement: "可学习的位置编码更灵活，但需要更多数据。",
    found: (n) =>
      `灵活：要它学会 ${n.rows} 个随机向量，${n.parameters} 个参数的可学习表经过 400 步 Adam，误差从 ${n.start} 降到 ${n.end}；固定的正弦编码相差 ${n.fixed}。更多数据：一张由正弦编码线性变换而来的表，隔行给它看一半，其余各行最多错 ${n.fromHalf}，正弦编码上的线性层只错 ${n.fixedFromHalf}；全部给它看，才降到 ${n.fromAll}。用同样的文本、同样的步数训练小语言模型（各 ${n.seeds} 次），困惑度在训练长度处：可学习表 ${n.near}，正弦编码 ${n.fixedNear}；到 8 倍长度时：${n.far} 和 ${n.fixedFar}。条件是不超出表长（这里 ${n.rows} 行，位置 0 到 ${Number(n.rows) - 1}；语言模型的表每个测试位置都有一行，训练只用到前八分之一）。`,
  },
  C1: {
    statement: "没有位置信息时，“The cat sat on the mat.”与“On mat the sat cat the.”的注意力结果一样。",
    found: (n) => `同一个词在两句中的输出最多相差 ${n.off}。加上正弦编码以后：${n.coded}。`,
  },
  C2: {
    statement: "两个“the”的向量相同；加上位置编码后就不同了。",
    found: (n) => `各维的最大差别：加之前 ${n.before}，加之后 ${n.after}。`,
  },
  C3: {
    statement: "位置 0 到 5 的编码写作 0.99 0.01 0.98 …，与词向量相加。",
    found: (n) =>
      `和在两位小数内都对（${n.off}）。但这些编码不是公式的：${n.dim} 维时位置 0 是 ${n.a}、${n.b}、${n.c}；最多相差 ${n.codesOff}。换用库的 ${n.settings} 种设置（其他底数、排列和实现），最接近的也相差 ${n.nearestOff}。`,
  },
  C4: {
    statement: "低维度变化快，高维度变化慢。",
    found: (n) => `${n.dim} 维时，波长从 ${n.shortest} 个位置一路增加到 ${n.longest} 个，没有例外。`,
  },
  C5: {
    statement: "在“On the mat, the cat sat”里，第一句的各词位于 5 6 7 1 2 3。",
    found: (n) =>
      `各词从 1 数起，从库加上的编码里读出位置，逗号是第 ${n.comma} 个 token：与文中的一行最多相差 ${n.off}。逗号若不算，前三个就各提前一位。${n.before === "0" ? "" : `句前多了 ${n.before} 个词，所有位置都后移 ${n.before} 位。`}`,
  },
  C6: {
    statement: "两句的相对位置全是 +1，“完全相同”。",
    found: (n) =>
      `${n.before === "0" ? "第二句里" : `第二句前面有 ${n.before} 个词时`}，${n.all} 个中有 ${n.same} 个是 +1；sat→on 是 ${n.broken}。`,
  },
  C7: {
    statement: "用 RoPE 时，得分只取决于 m − n。",
    found: (n) => `在 (7, 3)：${n.here}；一起移动 ${n.by} 个位置：${n.there}，相差 ${n.off}。在 (8, 3)：${n.other}。`,
  },
  C8: {
    statement: "A = (Q′W_q)(K′W_k)ᵀ：先旋转，再投影。",
    found: (n) => `在 (7, 3)：${n.here}；一起移动 ${n.by} 个位置：${n.there}，相差 ${n.off}。旋转必须放在投影之后。`,
  },
  C9: {
    statement: "Q′·K′ = cos(θ_i − θ_j) (Q·K)。",
    found: (n) =>
      `旋转后的点积是 ${n.true}，这个公式给出 ${n.stated}：相差 ${n.off}。缺的一项是 ${n.missing}；补上以后剩 ${n.whole}。两个向量平行时相差 ${n.parallel}。`,
  },
  C10: {
    statement: "文中的 PyTorch 函数就是 RoPE。",
    found: (n) =>
      `它把每对的两个分量拆开存放（先放所有第一个，再放所有第二个），这不影响得分。但它的 dim 是维数的一半，指数因此翻倍：${n.dim} 维时最多相差 ${n.off}，得分相差 ${n.scores}。指数翻倍以后，库与它相差 ${n.doubled}。（示例里 10 个位置与 256 个频率落在同一个轴上，运行时会报错。）`,
  },
  C11: {
    statement: "三个 token，W_q 与 W_k，分别旋转 10°、20°、30°。",
    found: (n) =>
      `${n.seed === "1" ? "" : `改用种子 ${n.seed} 的 token、权重和角度。`}与文中代码的双精度结果相差 ${n.off}。第一个 token 的权重是 ${n.w0}、${n.w1}、${n.w2}，输出是 (${n.x}, ${n.y})。`,
  },
  C12: {
    statement: "十二维全是 5，在位置 0、1、2、5、10，共六个平面。",
    found: (n) =>
      `${n.dim} 维时，与文中代码的双精度结果相差 ${n.off}。在位置 10，第一个平面上是 (${n.a}, ${n.b})，最后一个是 (${n.c}, ${n.d})。`,
  },
  C13: {
    statement: "R 是分块对角矩阵，得分是 xᵀ W_qᵀ R W_k y，只含位置之差。",
    found: (n) =>
      `${n.dim} × ${n.dim} 的矩阵，块外最大的元素是 ${n.outside}。分别在 9 与 4 旋转：${n.left}；用 −5 的矩阵：${n.right}；相差 ${n.off}。`,
  },
  C14: {
    statement: "旋转不需要参数，也不改变长度。",
    found: (n) =>
      `${n.dim} 维向量的长度平方，旋转前 ${n.before}，位置 1000 旋转后 ${n.after}：相对变化 ${n.change}。生成两次，${n.cosines} 个余弦里${n.parameters === "0" ? "没有一个" : `有 ${n.parameters} 个`}不同：公式已经确定，没有可训练的东西。同样多位置的可学习表抽取两次，有 ${n.learned} 个数不同。`,
  },
  C15: {
    statement: "旋转使相关性随距离衰减。",
    found: (n) =>
      `两个相同的 ${n.dim} 维向量：距离 64 以内平均为 ${n.near}，${n.length} 以内最后 64 个距离的平均为 ${n.far}。但这些距离里，有 ${n.rises} 个比前一个还高。`,
  },
  C16: {
    statement: "二维 RoPE 只取决于 (Δx, Δy)。",
    found: (n) =>
      `图块 (2, 3) 与 (5, 1)：${n.here}；两块都移动 (20, 10)：${n.there}，相差 ${n.off}。只移动一块：${n.other}。`,
  },
  C17: {
    statement: "RoPE 可以用于线性注意力。",
    found: (n) =>
      `${n.n} 个词，线性形式与二次形式相差 ${n.off}。但分母不旋转：权重可以是负的（最小 ${n.least}），一行之和不一定是 1（最后一行：${n.sum}）。`,
  },
  C18: {
    statement: "对比表：是否可训练、能否外推、是否编码相对位置，计算是 O(n) 还是 O(n²)，存储多少。",
    found: (n) =>
      `${n.cells} 格中对了 ${n.right} 格。各列（每列 ${n.all} 格）：可训练 ${n.trained}，外推 ${n.extrapolates}，相对位置 ${n.isRelative}，计算 ${n.cost}，存储 ${n.storage}。计算与存储按 ${n.n} 个 token 和两倍的个数各统计一次。正弦编码是带有相对位置的（见 A2）；相对位置也不需要 n² 个向量：所有距离共占 ${n.relative} 字节，成对存储则要 ${n.pairs} 字节；可学习表占 ${n.learned} 字节。小语言模型（各训练 ${n.seeds} 次）读到训练长度的 8 倍，困惑度增加不超过四分之一算作能外推：正弦编码从 ${n.sinusoidNear} 到 ${n.sinusoidFar}，可学习表从 ${n.learnedNear} 到 ${n.learnedFar}，Shaw 的相对位置从 ${n.ShawNear} 到 ${n.ShawFar}，RoPE 从 ${n.RoPENear} 到 ${n.RoPEFar}。`,
  },
  D1: {
    statement: "BERT 采用正弦余弦位置编码。",
    found: (n) =>
      `公布的 ${n.width} 维模型有 ${n.published} 个参数。除位置以外的各层共 ${n.without} 个，还差 ${n.missing} 个。库从它的 config.json 读出 ${n.rows} 行的可学习表，正是 ${n.learned} 个数；若用正弦编码，就不会有差额。见 Devlin 等，2019。`,
  },
  D2: {
    statement: "绝对位置编码要求训练和推理时序列长度一致；长度不同就要重新计算编码，甚至重新训练。",
    found: (n) =>
      `位置 ${n.position} 的正弦编码与浏览器自带的正弦相差 ${n.off}：任何位置都能直接算出，不必为此重新训练。可学习表也不要求长度一致：短文本用它的前几行；只是不能超过表的行数（这里 ${n.rows} 行，最后一行是位置 ${Number(n.rows) - 1}）。但换了长度，模型确实会变差：困惑度在训练长度内是 ${n.near}，到 8 倍长度时是 ${n.longest}。`,
  },
  D3: {
    statement: "模块返回 encoding[:seq_len]，形状为 (seq_len, d)。",
    found: (n) => `${n.rows} × ${n.dimensions}，与整张表的这些行逐位相同；与浏览器自带的正弦、余弦相差 ${n.off}。`,
  },
  D4: {
    statement: "旋转编码的类：x 的形状为 [seq, batch, heads, d]，缓存余弦与正弦。",
    found: (n) =>
      `${n.n} 个 token，与它的公式的双精度结果相差 ${n.off}。缓存的 ${n.kept} 个值与更长缓存的开头逐位相同。`,
  },
  D5: {
    statement: "RoPE 旋转的是位置向量。",
    found: (n) =>
      `把位置 0 的位置向量旋转到位置 p，得到的正是 p 的正弦编码（相差 ${n.off}）：再加到词向量上，就是正弦位置编码，两者一起后移 ${n.by} 个位置，(7, 3) 处的得分变化 ${n.added}。RoPE 旋转的是查询和键：同样后移，得分只变化 ${n.rotated}。`,
  },
  E1: {
    statement: "六个词，二维的 W + P = X。",
    found: (n) => `文中的和全都正确：最大相差 ${n.off}。随机取六个词、用公式的位置，与双精度的和相差 ${n.drawn}。`,
  },
  E2: {
    statement: "“可以根据上述公式计算出”位置向量；文中随后用的是“假设”的 P_0 到 P_5。",
    found: (n) =>
      `${n.all} 个中有 ${n.right} 个是公式 ${n.dim} 维编码的前两维。P_1 应为 (${n.a}, ${n.b})；最大相差 ${n.codesOff}。换用库的 ${n.settings} 种设置（其他底数、排列和实现），最接近的也相差 ${n.nearestOff}。`,
  },
  E3: {
    statement: "每个位置的向量都与众不同。",
    found: (n) =>
      `文中的六个位置向量互不相同：最接近的两个相差 ${n.printed}。用公式时，${n.positions} 个位置两两至少相差 ${n.formula}。备注（原文没有谈到“和”）：“the”与“mat”加上位置之后都是 (${n.x}, ${n.y})，因为两个词向量之差恰好抵消了位置向量之差。`,
  },
  E4: {
    statement: "周期性使它能处理比训练时更长的序列。",
    found: (n) =>
      `位置 ${n.position} 可以计算（相差 ${n.off}）。它最慢的波的波长是 ${n.wavelength} 个位置，训练长度为 ${n.trained} 时大半没有见过：编码算得出来，但模型没学过。训练一个线性层来预测这些位置，均方根误差是 ${n.inside} 个位置，在接下来的 ${n.trained} 个位置上则是 ${n.beyond}。小语言模型的困惑度在训练长度处是 ${n.near}，到 8 倍长度时是 ${n.longest}。`,
  },
  E5: {
    statement: "模块把 pe[:, :seq_len, :] 加到 x 上。",
    found: (n) => `一批 2 × ${n.n} 个词：相差 ${n.off}。超过 max_len 的输入会被拒绝。`,
  },
  E6: {
    statement: "靠位置可以分辨“苹果”是水果还是公司。",
    found: (n) =>
      `文中两句里，“苹果”分别从位置 ${n.first} 和 ${n.second} 开始（一字一个 token，从 0 数），输入因此相差 ${n.inPost}。但“苹果很好吃”里它也从位置 ${n.second} 开始，与公司那一句相同：两者的输入相差 ${n.same}。分辨词义靠的是上下文：不加任何位置编码，经过一次注意力，两者就相差 ${n.context}。`,
  },
};
