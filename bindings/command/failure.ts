// Ends the command with words for the user and an exit code.

/** The exit codes; the help and the README name them. */
export const codes = { fine: 0, mistaken: 1, unsure: 2, refused: 3, fault: 4 } as const;

/** The command was asked for something that it cannot do. */
export class UsageFailure extends Error {}

/** A file cannot be read, or not be written; the message names it. */
export class FileFailure extends Error {}

const causes: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "a folder, expected a file",
  EEXIST: "a part of the path is a file, expected a folder",
  ENOTDIR: "a part of the path is a file, expected a folder",
  ENOSPC: "the disk is full; nothing was left behind",
  EDQUOT: "the disk quota is used up; nothing was left behind",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
};

/** Runs what reads or writes a file; what the system refuses is said in words. */
export function onFile<Made>(file: string, run: () => Made): Made {
  try {
    return run();
  } catch (error) {
    if (error instanceof FileFailure || error instanceof UsageFailure) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new FileFailure(`${file}: ${causes[code] ?? message}`);
  }
}
