import { language } from "./i18n";
import { writeCommon, writeLink } from "./state";

/** The pages, in the order of their links, and their names at the head of each. */
const names = {
  index: { en: "The story", zh: "正文" },
  more: { en: "Lab and images", zh: "实验与图像" },
  tools: { en: "For engineers", zh: "移植排查" },
  checked: { en: "Posts checked", zh: "博文核对" },
} as const;
export type PageName = keyof typeof names;

/** The figures that are not in the story. */
const elsewhere: Readonly<Record<string, PageName>> = {
  lab: "more",
  patches: "more",
  mrope: "more",
  config: "tools",
  precision: "tools",
};
export const pageOf = (figure: string): PageName => elsewhere[figure] ?? "index";

/** The page that is open: its document names it. */
export const here = (): PageName => (document.documentElement.dataset.page as PageName | undefined) ?? "index";

/** A link to another page, in the same language and theme and with all state that pages share but `changes`. */
export const linkToPage = (page: PageName, changes: Readonly<Record<string, unknown>> = {}): string =>
  `./${page}.html${writeCommon({ slide: "", ...changes })}`;

/** A link to the story's last slide, which has all questions. */
export const linkToQuestions = (): string => {
  const changes = { at: "", slide: "questions" };
  return here() === "index" ? writeLink(changes) : linkToPage("index", changes);
};

/** Links to the other pages, with their names. */
export const otherPages = (): [address: string, name: string][] =>
  (Object.keys(names) as PageName[])
    .filter((page) => page !== here())
    .map((page) => [linkToPage(page, { at: "" }), names[page][language.value]]);
