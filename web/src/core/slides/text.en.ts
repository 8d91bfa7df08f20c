/** The words of slides, and of the last of them, which has all questions, in English. */
export const en = {
  back: "Back",
  next: "Next",
  end: "End",
  lead: "Ask first, let hands go up, then open the answer: all of them follow from the numbers of the figure as it stands.",
  answer: "Answer",
  all: "Open all answers",
  none: "Close all answers",
  figure: (title: string) => `Figure: ${title}`,
};
