/** The words of the menu below a figure, in English. */
export const en = {
  files: { csv: "Numbers (CSV)", svg: "Picture (SVG)", png: "Picture (PNG)" },
  code: "Code",
  embed: "Embed",
  link: "Copy link",
  linked: "Link copied",
  noFile: "The file could not be made",
  inAddress: "The link is in the address bar",
};
