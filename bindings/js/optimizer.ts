import type { FullModule } from "posenc-module";
import { addressInside } from "./buffer.js";
import {
  options as checkOptions,
  flag,
  float32Array,
  nameIfGiven,
  number,
  numbers,
  unwrap,
  whole,
  wrongValue,
} from "./check.js";
import { type Borrower, borrow, type Loan } from "./memory.js";
import type { AdamOptions, SgdOptions } from "./types/index.js";

/** Values that the core changes: `write` brings them back to where they stand, also when the memory grows meanwhile. */
function lendState(module: FullModule, memory: Borrower, name: string, values: Float32Array): Loan & { write(): void } {
  const address = addressInside(module, name, values);
  const loan = memory.copyOf(Float32Array, values, name);
  const { length } = loan;
  return {
    ...loan,
    write() {
      const place = address === undefined ? values : memory.view(Float32Array, { address, length });
      place.set(memory.view(Float32Array, loan));
    },
  };
}

/** All of them, once nothing can fail any more. */
function written(parameters: Float32Array, states: readonly { write(): void }[]): Float32Array {
  for (const state of states) state.write();
  return parameters;
}

export function sgdStep(module: FullModule, parameters: Float32Array, options: SgdOptions): Float32Array {
  float32Array("parameters", parameters);
  options = checkOptions(
    options,
    ["gradient", "lr", "momentum", "dampening", "weightDecay", "nesterov", "buffer", "step"],
    "sgdStep",
  );
  const { gradient, lr, momentum = 0, dampening = 0, weightDecay = 0, nesterov = false, buffer, step = 0 } = options;
  const state = buffer === undefined ? new Float32Array() : float32Array("buffer", buffer);
  float32Array("gradient", gradient);
  number("lr", lr);
  number("momentum", momentum);
  number("dampening", dampening);
  number("weightDecay", weightDecay);
  flag("nesterov", nesterov);
  whole("step", step);
  return borrow(module, (memory) => {
    const g = memory.floatsFrom(gradient, "gradient");
    const p = lendState(module, memory, "parameters", parameters);
    const b = lendState(module, memory, "buffer", state);
    unwrap(
      module.sgdStep(
        lr,
        momentum,
        dampening,
        weightDecay,
        nesterov,
        step,
        g.address,
        g.length,
        p.address,
        p.length,
        b.address,
        b.length,
      ),
    );
    return written(parameters, [b, p]);
  });
}

function twoBetas(betas: readonly [number, number]): [number, number] {
  const list = numbers("betas", betas);
  if (list.length !== 2) throw wrongValue("betas", betas, "two numbers");
  return [list[0] as number, list[1] as number];
}

export function adamStep(module: FullModule, parameters: Float32Array, options: AdamOptions): Float32Array {
  float32Array("parameters", parameters);
  options = checkOptions(
    options,
    ["gradient", "lr", "betas", "eps", "weightDecay", "decay", "step", "firstMoment", "secondMoment"],
    "adamStep",
  );
  const { gradient, lr, betas = [0.9, 0.999], eps = 1e-8, weightDecay = 0, step, firstMoment, secondMoment } = options;
  const [beta1, beta2] = twoBetas(betas);
  const decay = nameIfGiven("decay", options.decay);
  float32Array("gradient", gradient);
  float32Array("firstMoment", firstMoment);
  float32Array("secondMoment", secondMoment);
  number("lr", lr);
  number("eps", eps);
  number("weightDecay", weightDecay);
  whole("step", step);
  return borrow(module, (memory) => {
    const g = memory.floatsFrom(gradient, "gradient");
    const p = lendState(module, memory, "parameters", parameters);
    const m = lendState(module, memory, "firstMoment", firstMoment);
    const v = lendState(module, memory, "secondMoment", secondMoment);
    unwrap(
      module.adamStep(
        lr,
        beta1,
        beta2,
        eps,
        weightDecay,
        decay,
        step,
        g.address,
        g.length,
        p.address,
        p.length,
        m.address,
        m.length,
        v.address,
        v.length,
      ),
    );
    return written(parameters, [m, v, p]);
  });
}
