import { html, render } from "lit-html";
import { copyBox } from "../below/copy-box";
import { link } from "../history";
import { language, text } from "../i18n";
import { linkToPage, linkToQuestions } from "../pages";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { versionLine } from "./version";

/** For BibTeX; the build makes it of CITATION.cff. */
declare const CITATION: string;

const texts = { en, zh };

/** The papers that the formulas are from: title, authors and year, and its number at arXiv. */
const papers = [
  ["Attention Is All You Need", "Vaswani et al., 2017", "1706.03762"],
  ["Self-Attention with Relative Position Representations", "Shaw et al., 2018", "1803.02155"],
  ["BERT", "Devlin et al., 2019", "1810.04805"],
  ["Exploring the Limits of Transfer Learning (T5)", "Raffel et al., 2019", "1910.10683"],
  ["RoFormer: Rotary Position Embedding", "Su et al., 2021", "2104.09864"],
  ["Train Short, Test Long (ALiBi)", "Press et al., 2022", "2108.12409"],
  ["KERPLE", "Chi et al., 2022", "2205.09921"],
  ["The Impact of Positional Encoding on Length Generalization", "Kazemnejad et al., 2023", "2305.19466"],
  ["Extending Context Window via Positional Interpolation (PI)", "Chen et al., 2023", "2306.15595"],
  ["YaRN", "Peng et al., 2023", "2309.00071"],
  ["Functional Interpolation for Relative Positions (FIRE)", "Li et al., 2023", "2310.04418"],
  ["LongRoPE", "Ding et al., 2024", "2402.13753"],
  ["Base of RoPE Bounds Context Length", "Men et al., 2024", "2405.14591"],
  ["The Llama 3 Herd of Models", "Llama Team, 2024", "2407.21783"],
  ["Qwen2-VL (M-RoPE)", "Wang et al., 2024", "2409.12191"],
  ["Forgetting Transformer (FoX)", "Lin et al., 2025", "2503.02130"],
  ["Dropping Positional Embeddings (DroPE)", "Gelberg et al., 2026", "2512.12167"],
] as const;

/** The articles whose argument leads to RoPE. */
const articles = [
  ["让研究人员绞尽脑汁的Transformer位置编码", "https://kexue.fm/archives/8130"],
  ["博采众长的旋转式位置编码", "https://kexue.fm/archives/8265"],
] as const;

/** The footer: where formulas and examples come from, the library's reference and version. */
export function footer(): void {
  const words = texts[language.value];
  // A link has the state.
  link.value;
  render(
    html`
      <details class="sources">
        <summary>${words.papers}</summary>
        <ul>
          ${papers.map(
            ([title, authors, number]) =>
              html`<li><a href="https://arxiv.org/abs/${number}" lang="en">${title}</a> (${authors})</li>`,
          )}
          ${articles.map(([title, address]) => html`<li><a href=${address} lang="zh-CN">${title}</a> (苏剑林, 2021)</li>`)}
        </ul>
      </details>
      <details class="cite">
        <summary>${words.cite}</summary>
        ${copyBox("citation", words.citation, CITATION)}
      </details>
      <p><a href=${linkToQuestions()}>${text.value.questions}</a></p>
      <p><a href=${linkToPage("checked", { at: "" })}>${words.sources}</a></p>
      <p><a href="./api/index.html">${words.reference}</a></p>
      <p><a href="./licences.txt">${words.licences}</a></p>
      ${versionLine()}
    `,
    document.getElementById("footer") as HTMLElement,
  );
}
