import type { FullModule } from "posenc-module";
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
import { borrow } from "./memory.js";
import type { AdamOptions, SgdOptions } from "./types/index.js";

export function sgdStep(module: FullModule, parameters: Float32Array, options: SgdOptions): Float32Array {
  float32Array("parameters", parameters);
  checkOptions(
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
    const p = memory.copyOf(Float32Array, parameters, "parameters");
    const b = memory.copyOf(Float32Array, state, "buffer");
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
    state.set(memory.view(Float32Array, b));
    parameters.set(memory.view(Float32Array, p));
    return parameters;
  });
}

function twoBetas(betas: readonly [number, number]): [number, number] {
  const list = numbers("betas", betas);
  if (list.length !== 2) throw wrongValue("betas", betas, "two numbers");
  return [list[0] as number, list[1] as number];
}

export function adamStep(module: FullModule, parameters: Float32Array, options: AdamOptions): Float32Array {
  float32Array("parameters", parameters);
  checkOptions(
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
    const p = memory.copyOf(Float32Array, parameters, "parameters");
    const m = memory.copyOf(Float32Array, firstMoment, "firstMoment");
    const v = memory.copyOf(Float32Array, secondMoment, "secondMoment");
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
    firstMoment.set(memory.view(Float32Array, m));
    secondMoment.set(memory.view(Float32Array, v));
    parameters.set(memory.view(Float32Array, p));
    return parameters;
  });
}
