// Calls of every function of the API, a file a module. Each is a function of the library, of inputs, and of objects that
// the call needs; what it gives takes further options, `out` among them, and makes the call. Its name is the
// function's ("alibi", "rotary.cache"), and after a space the special case.

import * as attention from "./attention.mjs";
import * as base from "./base.mjs";
import * as diagnosis from "./diagnosis.mjs";
import * as frequencies from "./frequencies.mjs";
import * as grid from "./grid.mjs";
import * as hub from "./hub.mjs";
import * as keyCache from "./key-cache.mjs";
import * as learned from "./learned.mjs";
import * as lab from "./learning.mjs";
import * as relative from "./relative.mjs";
import * as rotary from "./rotary.mjs";
import * as sinusoidal from "./sinusoidal.mjs";

const modules = [sinusoidal, frequencies, rotary, attention, base, relative, learned, grid, hub, keyCache, diagnosis];
const all = (name) => Object.assign({}, ...modules.map((module) => module[name]));

/** Objects whose methods are part of the API. */
export const objects = all("objects");

/** Everything with methods. A step belongs to a rotary and a buffer, which it keeps alive. */
export const handles = { ...objects, ...all("handles") };

/** Calls that make arrays. */
export const makers = all("makers");

/** Calls that make none, or change the caller's in place, or have other options than those. */
export const others = all("others");

/** Calls that the core refuses after all memory has been borrowed; what is right about them is in `makers`. */
export const refusals = all("refusals");

/** These are of `posenc/lab`, and of all entries together. */
export { lab };
export const whole = {
  objects: { ...objects, ...lab.objects },
  handles: { ...handles, ...lab.objects },
  makers: { ...makers, ...lab.makers },
  others: { ...others, ...lab.others },
};
