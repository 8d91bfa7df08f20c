// Version numbers such as "3.1.69" or "5.0.0-git".

/** The first dotted version in a text as numbers; undefined when there is none. */
export const parseVersion = (text) =>
  text
    .match(/(\d+)\.(\d+)\.(\d+)/)
    ?.slice(1, 4)
    .map(Number);

/** Whether version `a` is at least `b`. */
export function atLeast(a, b) {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left) return false;
  const differs = left.findIndex((part, index) => part !== right[index]);
  return differs === -1 || left[differs] > right[differs];
}
