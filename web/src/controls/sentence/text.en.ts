const words = (count: number) => (count === 1 ? "1 word" : `${count} words`);

export const en = {
  cut: (kept: number, typed: number) => `Only the first ${kept} of ${typed} characters fit.`,
  shown: (shown: number, all: number) => `The first ${shown} of ${words(all)} are shown.`,
  bar: "Your sentence",
  words: "Its words: choose one for all figures",
  edit: "Edit the sentence",
  close: "Close",
  box: "Sentence",
  player: "Word by word",
  now: (position: number, word: string | undefined) =>
    word === undefined ? `position ${position}` : `position ${position}: ${word}`,
  empty: "No words yet",
  examples: "Or try one of these",
  sentences: ["The cat sat on the mat", "Dogs chase cats", "我爱你"],
};
