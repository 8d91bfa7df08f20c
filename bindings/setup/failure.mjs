// Says what went wrong, in words for the user.

/** An error whose message is complete: it is printed without a stack. */
export class SetupFailure extends Error {
  name = "SetupFailure";
}

// Lists what tools print for the causes that a user can do something about. The first match wins: a full disk often
// shows up as a failed download too.
const CAUSES = [
  {
    sign: /ENOSPC|No space left on device|not have enough free space/i,
    advice:
      "The disk is full. The toolchain takes about 2 GB (POSENC_TOOLCHAIN can put it on another disk); make room and run the same command again.",
  },
  {
    sign: /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|Temporary failure resolving|Could not resolve|Could not connect|Unable to connect|Connection (?:failed|timed out|refused)|Failed to fetch|Some index files failed|fetch failed/i,
    advice:
      "The network, or the package mirror behind it, did not answer. Check the connection (and the proxy settings of apt and npm), then run the same command again: it goes on where it stopped.",
  },
  {
    sign: /EACCES|EROFS|Permission denied|Read-only file system/,
    advice: (text) => {
      const [, place = "A file or folder"] = text.match(/(?:^npm (?:error|ERR!) path |, \w+ ')([^'\n]+)/m) ?? [];
      const cache = /^npm (?:error|ERR!)/m.test(text) ? " (npm_config_cache can name another for npm's cache)" : "";
      return `${place} could not be written. Check who owns it${cache}, then run the same command again.`;
    },
  },
];

/** The advice that fits a tool's output, or an empty string. */
export function adviceFor(text) {
  const { advice = "" } = CAUSES.find(({ sign }) => sign.test(text)) ?? {};
  return typeof advice === "function" ? advice(text) : advice;
}

/** Any error as the text to print. */
export function explain(error) {
  if (error instanceof SetupFailure) return error.message;
  const advice = adviceFor(`${error.code} ${error.message}`);
  return advice ? `${error.message}\n${advice}` : (error.stack ?? String(error));
}
