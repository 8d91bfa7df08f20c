import type { ErrorFields } from "posenc";

/** The fields of an error of the library's; the value is left out, so that they can be sent to another thread. */
export function fieldsOf(error: unknown): ErrorFields | undefined {
  const { code, argument, shown, expected, parameters } = (error ?? {}) as Partial<ErrorFields>;
  if (code === undefined || parameters === undefined) return undefined;
  return { code, argument: argument ?? "", value: undefined, shown: shown ?? "", expected: expected ?? "", parameters };
}
