// Conventions of llama.cpp for each general.architecture, read in src/llama-model.cpp (llama_model_rope_type, load_hparams) and
// src/llama-arch.cpp, ggml-org/llama.cpp 00342301d01add50835550e8a916f12097d94517 and 00395eb285c7c6821ff372e3ca41dae9da33c2c7.
// The newest architectures of llama_model_rope_type were read in a later copy whose commit is not known.

/** Where these were read; an answer names it. */
export const readIn = "llama.cpp, src/llama-model.cpp, at 00342301d or later";

/**
 * How pairs are rotated: `norm` dimension 2i with 2i + 1, `neox` i with i + r/2, as `mrope` and `imrope` do for positions
 * of several axes, in sections or interleaved; `none` where the code does not rotate.
 */
export type Rotation = "none" | "norm" | "neox" | "mrope" | "imrope";

/**
 * Architectures by rotation, each with the model_type of transformers, if there is one, all of whose layers llama.cpp
 * treats as that type's code does: the patterns of its layers, its scale of scores.
 */
const byRotation: { readonly [rotation in Rotation]: string } = {
  none: `clip gpt2=gpt2 gptj mpt=mpt refact bloom=bloom mamba=mamba mamba2=mamba2 jamba=jamba jina-bert-v2 t5=t5 t5encoder=t5
    jais rwkv6 rwkv6qwen2 rwkv7 arwkv7 wavtokenizer-dec nemotron_h=nemotron_h nemotron_h_moe=nemotron_h kimi-linear bert=bert
    starcoder=gpt_bigcode`,
  norm: `llama=llama llada llama4=llama4_text deci baichuan internlm2 minicpm xverse command-r=cohere cohere2=cohere2
    cohere2moe olmo=olmo arctic deepseek deepseek2=deepseek_v2 deepseek2-ocr deepseek32 deepseek4 plm chatglm=chatglm glm4=glm4
    granite=granite granitemoe=granitemoe granitehybrid chameleon=chameleon bailingmoe neo-bert smollm3=smollm3 arcee=arcee
    ernie4_5=ernie4_5 ernie4_5-moe=ernie4_5_moe mistral3=ministral3 eagle3 mistral4 llama-embed maincoder glm-dsa`,
  neox: `falcon=falcon falcon-h1=falcon_h1 grok dbrx=dbrx jina-bert-v3 modern-bert nomic-bert nomic-bert-moe eurobert
    stablelm=stablelm bitnet=bitnet qwen qwen2=qwen2 dream qwen2moe=qwen2_moe qwen3=qwen3 qwen3moe=qwen3_moe
    qwen3next=qwen3_next llada-moe rnd1 olmo2=olmo2 olmoe=olmoe phi2=phi phi3=phi3 phimoe=phimoe plamo plamo2 plamo3
    gemma=gemma gemma2=gemma2 gemma3=gemma3_text gemma3n gemma4 gemma4-assistant gemma-embedding starcoder2=starcoder2 openelm
    gptneox=gpt_neox codeshell orion nemotron=nemotron exaone exaone4=exaone4 exaone-moe minicpm3=minicpm3 bailingmoe2
    dots1=dots1 hunyuan-moe=hunyuan_v1_moe jais2 gpt-oss=gpt_oss hunyuan-dense=hunyuan_v1_dense hunyuan_vl hy_v3 lfm2=lfm2
    lfm2moe=lfm2_moe smallthinker glm4moe=glm4_moe seed_oss=seed_oss grovemoe apertus=apertus minimax-m2=minimax_m2 cogvlm
    pangu-embedded afmoe mimo2 step35 talkie mellum dflash`,
  mrope: "qwen2vl=qwen2_vl paddleocr",
  imrope: "qwen3vl=qwen3_vl_text qwen3vlmoe=qwen3_vl_moe_text qwen35=qwen3_5_text qwen35moe=qwen3_5_moe_text",
};

/** An architecture: how it rotates, and the type of transformers whose layers it has. */
export interface Architecture {
  readonly rotation: Rotation;
  readonly type: string | undefined;
}

export const architectures: ReadonlyMap<string, Architecture> = new Map(
  Object.entries(byRotation).flatMap(([rotation, names]) =>
    names.split(/\s+/).map((each): [string, Architecture] => {
      const [name, type] = each.split("=") as [string, string?];
      return [name, { rotation: rotation as Rotation, type }];
    }),
  ),
);

/** These rotate by sections where the file has them (llama_hparams::use_mrope), and else as above. */
export const withSections: ReadonlySet<string> = new Set(["glm4", "glm4moe", "hunyuan_vl"]);

/**
 * Those whose windows llama.cpp uses, with the size where the file has none: null where the file must have it, and a
 * number of layers where the code has a window for that many alone. Of others `sliding_window` is not read, or disabled.
 */
export const windows: ReadonlyMap<string, { size: number | null; layers?: number }> = new Map([
  ["gemma2", { size: 4096 }],
  ["gemma3", { size: null }],
  ["cohere2", { size: null }],
  ["gpt-oss", { size: null }],
  ["exaone4", { size: 4096, layers: 64 }],
]);

/** Layers whose scores are scaled by embedding_length / head_count in place of key_length, by how many there are. */
export const scaledByEmbedding: ReadonlyMap<string, number> = new Map([
  ["gemma2", 46],
  ["gemma3", 62],
]);

/** Architectures with ALiBi whatever the file says; the exponent of the largest slope is 8. */
export const withAlibi: ReadonlySet<string> = new Set(["bloom", "refact", "jina-bert-v2"]);

/** Those whose layers without heads of keys do not attend: transformers calls them "conv". */
export const withoutHeads: ReadonlySet<string> = new Set(["lfm2", "lfm2moe"]);
