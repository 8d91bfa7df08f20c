// How far long work is: on standard error, and only where somebody looks at it.

/** Told how much is done, from 0 to 1. */
export type Progress = (done: number) => void;

/** Work that takes longer says so. */
const patience = 1000;

const computing = { en: "Computing", zh: "正在计算" };

/** Runs work of the library, of which nobody hears until it is done. */
export function announced<Made>(language: "en" | "zh", run: () => Made): Made {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r${computing[language]} …\x1b[K`);
  try {
    return run();
  } finally {
    if (stderr.isTTY) stderr.write("\r\x1b[K");
  }
}

/** Runs work that may take long. */
export async function withProgress<Made>(
  what: string,
  run: (progress: Progress) => Made | Promise<Made>,
): Promise<Made> {
  const { stderr } = process;
  const began = Date.now();
  let shown = 0;
  const progress = (done: number) => {
    const now = Date.now();
    if (!stderr.isTTY || now - began < patience || now - shown < 200) return;
    shown = now;
    stderr.write(`\r${what}: ${Math.floor(done * 100)} %\x1b[K`);
  };
  try {
    return await run(progress);
  } finally {
    if (shown > 0) stderr.write("\r\x1b[K");
  }
}
