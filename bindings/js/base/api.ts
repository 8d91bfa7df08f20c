// The functions of an entry, tied to a module.

import type { Module } from "./module.js";

// biome-ignore lint/suspicious/noExplicitAny: functions of every kind
type Functions = { readonly [name: string]: (module: Module, ...args: any[]) => unknown };

/** What an entry offers: its functions without the module, which is the same for all. */
export type Bound<Of extends Functions> = {
  [Name in keyof Of]: Of[Name] extends (module: Module, ...args: infer Args) => infer Made
    ? (...args: Args) => Made
    : never;
};

export const bind = <Of extends Functions>(module: Module, functions: Of): Bound<Of> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [name, (...args: unknown[]) => run(module, ...args)]),
  ) as Bound<Of>;
