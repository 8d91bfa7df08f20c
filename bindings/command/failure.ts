// Ends the command with words for the user and an exit code.

/** The exit codes; the help and the README name them. */
export const codes = { fine: 0, mistaken: 1, unsure: 2, refused: 3, fault: 4 } as const;

/** The command was asked for something that it cannot do. */
export class UsageFailure extends Error {}

/** Control characters, ends of lines and marks that turn the direction of what follows. */
export const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text in one line: the names of files, tensors and keys may have unprintable characters. */
export const inOneLine = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** A file cannot be read, or not be written; the message names it. */
export class FileFailure extends Error {}

const causes: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "a folder, expected a file",
  EEXIST: "a part of the path is a file, expected a folder",
  ENOTDIR: "a part of the path is a file, expected a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the device reports an error",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
};

/** Says in words what the system refused. */
export const reasonOf = ({ code = "", message }: NodeJS.ErrnoException): string => causes[code] ?? message;

/** Runs what reads or writes a file; what the system refuses is said in words. */
export function onFile<Made>(file: string, run: () => Made): Made {
  try {
    return run();
  } catch (error) {
    if (error instanceof FileFailure || error instanceof UsageFailure) throw error;
    throw new FileFailure(`${file}: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}
