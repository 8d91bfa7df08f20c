// Where findings of a .gguf file's model are from: its keys in place of those of the config that says the same.

import type { Finding } from "../../js/types/engines.js";
import type { GgufEvidence, GgufModel } from "../../js/types/files.js";

/** Where a value is from; undefined where the path is that of a config. */
export interface Located {
  readonly from?: GgufEvidence["from"];
}

const words = {
  en: {
    default: (path: string) => `${path} is missing: llama.cpp's default`,
    tensor: (path: string) => `the tensor ${path}`,
    unused: (path: string) => `${path} is ignored: if it concerns positions, this plan does not have it.`,
    evidence: {
      file: (keys: string) => `From the file: ${keys}.`,
      tensor: (keys: string) => `From tensors: ${keys}.`,
      default: (keys: string) => `llama.cpp's defaults, of keys that the file does not have: ${keys}.`,
      architecture: (_: string, name: string) => `Layout, layers and scales: llama.cpp's code for ${name}.`,
    },
  },
  zh: {
    default: (path: string) => `缺少 ${path}：llama.cpp 的默认值`,
    tensor: (path: string) => `张量 ${path}`,
    unused: (path: string) => `${path} 被忽略：如果它与位置有关，这个方案里没有它。`,
    evidence: {
      file: (keys: string) => `来自文件：${keys}。`,
      tensor: (keys: string) => `来自张量：${keys}。`,
      default: (keys: string) => `文件缺少的键，用 llama.cpp 的默认值：${keys}。`,
      architecture: (_: string, name: string) => `布局、层和缩放：llama.cpp 中 ${name} 的代码。`,
    },
  },
};

/** A path in words. */
export function unread(path: string, from: Located["from"], language: "en" | "zh"): string {
  if (from !== "default" && from !== "tensor") return path;
  return words[language][from](path);
}

/** The file's evidence of a key of the config, or of what is in a dictionary with this key. */
export function evidenceOf(gguf: GgufModel, path: string): GgufEvidence | undefined {
  // The base is that of all of a rule's frequencies.
  if (path === "rope_scaling") return evidenceOf(gguf, "rope_theta");
  const [dictionary] = path.split(".");
  return (
    gguf.evidence.find((each) => each.path === path) ??
    gguf.evidence.find((each) => dictionary !== path && each.path.startsWith(`${dictionary}.`)) ??
    gguf.evidence.find((each) => each.path === "model_type")
  );
}

/** Findings with the places of a .gguf file, and those of its keys that nothing uses; others as they are. */
export function locate(
  findings: readonly Finding[],
  gguf: GgufModel | undefined,
  language: "en" | "zh",
): (Finding & Located)[] {
  if (!gguf) return [...findings];
  const unused = gguf.unusedKeys.map((path): Finding & Located => ({
    kind: "risk",
    code: "unknown-key",
    path,
    numbers: { path },
    sentence: words[language].unused(path),
    from: "file",
  }));
  // How the config is known is another matter than where the file has it.
  const own = findings.filter(({ kind, code }) => kind !== "evidence" && code !== "known-unknown");
  const placed = own.map((finding) => {
    const evidence = evidenceOf(gguf, finding.path);
    return evidence ? { ...finding, path: evidence.key, from: evidence.from } : finding;
  });
  const unknown = findings.filter(({ code }) => code === "known-unknown");
  return [...unused, ...placed, ...unknown, ...known(gguf, language)];
}

/** Where values are from, those from one place as one finding. */
function known(gguf: GgufModel, language: "en" | "zh"): (Finding & Located)[] {
  return (["file", "tensor", "default", "architecture"] as const).flatMap((from) => {
    const all = gguf.evidence.filter((each) => each.from === from);
    if (all.length === 0) return [];
    const keys = [...new Set(all.map(({ key, value }) => (from === "default" ? `${key} (${value})` : key)))].join(", ");
    const sentence = words[language].evidence[from](keys, gguf.architecture);
    const code = from === "file" || from === "tensor" ? "known-config" : "known-source";
    return [{ kind: "evidence" as const, code, path: all[0]?.key ?? "", numbers: { keys }, sentence, from }];
  });
}
