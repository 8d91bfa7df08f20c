/** The words of a figure in a frame, and of the code that puts it there, in English. */
export const en = {
  whole: "From posenc: this figure on its page, with all others",
  code: (title: string) => `HTML that shows “${title}” in another page`,
  note: "This puts the figure as it is now, in this language, into a page of yours. Its readers can use it as you do here; its height is the one it has here.",
};
