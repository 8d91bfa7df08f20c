/** A step of torch.optim's SGD. */
export interface SgdOptions {
  /** As long as the parameters. */
  gradient: Float32Array;
  /** Learning rate, >= 0. */
  lr: number;
  /** 0 by default. */
  momentum?: number;
  /** 0 by default. */
  dampening?: number;
  /** 0 by default. */
  weightDecay?: number;
  /** false by default; needs a momentum and no dampening. */
  nesterov?: boolean;
  /** Where there is a momentum: as long as the parameters, written in each step and read from step 2 on. */
  buffer?: Float32Array;
  /** Where there is a momentum: 1, 2, … */
  step?: number;
}

/** A step of torch.optim's Adam or AdamW. */
export interface AdamOptions {
  /** As long as the parameters. */
  gradient: Float32Array;
  /** Learning rate, >= 0. */
  lr: number;
  /** [0.9, 0.999] by default. */
  betas?: readonly [number, number];
  /** 1e-8 by default. */
  eps?: number;
  /** 0 by default. (torch's AdamW has 0.01.) */
  weightDecay?: number;
  /**
   * Has no default where there is a weight decay, because the two train differently: `"coupled"` adds weightDecay · p to
   * the gradient (torch.optim.Adam), `"decoupled"` multiplies p by 1 - lr · weightDecay (torch.optim.AdamW).
   */
  decay?: "coupled" | "decoupled";
  /** 1, 2, … */
  step: number;
  /** m, as long as the parameters: zeros before step 1, written in each step. */
  firstMoment: Float32Array;
  /** v, alike. */
  secondMoment: Float32Array;
}
