import type { ClaimId, PostId } from "./claim";

/** The source of a post; its text names no address. */
export interface Source {
  readonly title: string;
  /** Its author or site, if it names one. */
  readonly by?: string;
  /** When it was written, if it says so: year, month and day. */
  readonly date?: string;
}

export const sources: Readonly<Record<PostId, Source>> = {
  A: { title: "Transformer源码-位置编码(PositionalEncoder)", by: "wang", date: "2025-02-22" },
  B: { title: "位置编码:赋予Transformer位置感知能力" },
  C: { title: "Transformer组件(三):位置编码", by: "paperreading" },
  D: { title: "正余弦位置编码和RoPE位置编码" },
  E: { title: "深度解析 Transformer 模型中的位置嵌入（Positional Embedding）", by: "老牛同学", date: "2024-12-27" },
};

/** A clause of the original, in Chinese, or a line of its code or formulas. */
export type Quotation = { readonly words: string } | { readonly code: string };

export const quotations: Readonly<Record<ClaimId, Quotation>> = {
  A1: { words: "该矩阵的维度为（8, 32），每一行表示句子中一个位置的编码" },
  A2: { words: "能够捕捉序列中的相对位置信息" },
  A3: { words: "为序列中的每个位置分配独特的编码" },
  A4: { words: "该矩阵的维度为（8, 8, 32），每个元素表示句子中两个位置之间的相对编码向量" },
  A5: { code: "pos_encoding[i] = torch.sin(pos / (10000 ** ((2 * i)/d_model)))" },
  A6: { words: "RoPE通过旋转每个维度对中的向量，实现对序列中位置信息的编码" },
  A7: { words: "Q矩阵的不同维度展示出明显的周期性模式" },
  B1: { words: "对于较长序列会出现编码向量相似的问题" },
  B2: { code: "softmax(\\frac{QK^T+R}{\\sqrt{d_k}})V" },
  B3: { words: "需要预先计算并存储所有可能的相对位置差" },
  B4: { words: "用于防止内积值过大导致softmax饱和" },
  B5: { words: "将注意力分数在不同的头上进行计算并拼接" },
  B6: { code: "def __init__(self, d_model, dropout=0.1, max_len=5000):" },
  B7: { words: "这种方式更加灵活,但需要更多的训练数据" },
  C1: { words: "以下两个句子在计算attention的时候是一样的" },
  C2: { words: "加上了不同的位置编码,这样他们的向量表示就不同了" },
  C3: { code: "(pos=0) -> [0.1, 0.3, 0.5, ...] + [0.99, 0.01, 0.98, ...]" },
  C4: { words: "低维度(小 i)变化快,是高频信号" },
  C5: { words: "第二句话中,“On” 在第 1 个位置,而 “The” 在第 5 个位置" },
  C6: { words: "在相对位置编码下,这两个句子的表示方式是完全相同的" },
  C7: { words: "内积(注意 RoPE 引入了位置差)" },
  C8: { code: "A_{i,j} = (Q{\\prime} W_q) (K{\\prime} W_k)^T" },
  C9: { code: "Q{\\prime}_i \\cdot K{\\prime}_j = \\cos(\\theta_i - \\theta_j) (Q_i \\cdot K_j)" },
  C10: { code: "theta = 10000 ** (-2 * (torch.arange(dim, device=x.device) / dim))" },
  C11: { code: "theta_list_deg = [10, 20, 30]" },
  C12: { code: "x = torch.ones(12).float() * 5" },
  C13: { code: "q_m^T k_n = x_m^T Trans((W^q)) R^\\Theta_{d,n-m} W^k x_n" },
  C14: { words: "可以在不增加额外参数的情况下,将相对位置信息直接编码进 Attention 计算" },
  C15: { words: "解释性强:旋转模拟相对距离衰减" },
  C16: { code: "g(x_m,x_n,x_m-x_n,y_m-y_n)" },
  C17: { words: "支持不同序列长度、线性Attention" },
  C18: { words: "支持长序列外推,适用于不同长度的输入" },
  D1: { words: "像 BERT 中采用的正弦余弦位置编码" },
  D2: {
    words:
      "绝对位置编码对序列长度敏感,训练和推理时序列长度需一致。若推理时序列长度与训练时不同,需重新计算编码,甚至重新训练模型",
  },
  D3: { code: "return self.encoding[:seq_len, :]" },
  D4: { code: "x_rope = (x * self.cos_cached[:x.shape[0]]) + (neg_half_x * self.sin_cached[:x.shape[0]])" },
  D5: { words: "它基于旋转矩阵的概念,通过对位置向量进行旋转操作" },
  E1: { words: "我们将词嵌入和位置嵌入相加，得到最终的输入向量" },
  E2: { words: "我们可以根据上述公式计算出每个位置的嵌入向量。假设我们得到了如下位置嵌入向量" },
  E3: { words: "给每个词赋予一个与它在句子中位置相关的独特向量" },
  E4: { words: "具有周期性，可以帮助模型处理比训练时更长的序列" },
  E5: { code: "x = x + self.pe[:, :seq_len, :]" },
  E6: {
    words: "词语的位置往往影响其意义。例如，“苹果”在“我吃了一个苹果”和“苹果公司发布了新产品”这两个句子中的含义截然不同",
  },
};
