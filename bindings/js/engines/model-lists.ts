/** Lists of model types by name; a list is a text, its items separated by spaces, and "$name" is another list's items. */
export type Lists = { readonly [name: string]: string };

/** The model types of a list. */
export function modelSet(list: string, lists: Lists = {}): Set<string> {
  const items = list.split(" ").filter((item) => item !== "");
  return new Set(
    items.flatMap((item) => (item.startsWith("$") ? [...modelSet(lists[item.slice(1)] as string, lists)] : [item])),
  );
}
