import { svg, type TemplateResult } from "lit-html";

/** The image that is cut into patches: the cat on its mat, before a window. Drawn here, as the page loads no pictures. */
export function scene(left: number, top: number, width: number, height: number): TemplateResult {
  return svg`<svg class="patch-scene" x=${left} y=${top} width=${width} height=${height} viewBox="0 0 120 120"
      preserveAspectRatio="none">
    <rect width="120" height="120" fill="#f3ead6" />
    <rect y="84" width="120" height="36" fill="#d6b393" />
    <rect x="10" y="10" width="44" height="46" fill="#bfe0f3" stroke="#fff" stroke-width="4" />
    <path d="M32 10v46M10 33h44" stroke="#fff" stroke-width="3" />
    <circle cx="44" cy="21" r="6" fill="#fbe27a" />
    <ellipse cx="68" cy="102" rx="46" ry="11" fill="#dd9397" />
    <ellipse cx="68" cy="102" rx="38" ry="8" fill="none" stroke="#f2d6a0" stroke-width="2" />
    <path d="M92 96c16 0 18-16 12-26" fill="none" stroke="#77778a" stroke-width="6" stroke-linecap="round" />
    <ellipse cx="74" cy="82" rx="21" ry="21" fill="#77778a" />
    <circle cx="64" cy="54" r="16" fill="#77778a" />
    <path d="M50 48 51 30 62 40zM66 40 78 31 78 48z" fill="#77778a" />
    <circle cx="58" cy="53" r="2.6" fill="#f4f7c9" />
    <circle cx="70" cy="53" r="2.6" fill="#f4f7c9" />
    <path d="M62 60h4l-2 3z" fill="#e58f9b" />
    <path d="M60 102v-12M70 102v-12" stroke="#77778a" stroke-width="7" stroke-linecap="round" />
  </svg>`;
}
