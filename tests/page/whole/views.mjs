/** The pages in states that show different controls, and what is there once they are drawn. */
export const VIEWS = {
  figures: ["", true],
  "figures in another state": ["#rel=t5&qk=random&wn=4000&shift=20", true],
  "more figures": ["more.html#y=2", true],
  statements: ["checked.html", "article:last-of-type .tools"],
  "tools: an answer": ["tools.html", "#result .verdict"],
  "tools: a plan": ["tools.html#sample=own&expect=plan", "[data-run]"],
  "tools: a config": ["tools.html#sample=own&expect=config&kind=ids", "[data-run]"],
};
