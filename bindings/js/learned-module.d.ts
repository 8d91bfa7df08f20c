// Part of what the compiled module of posenc/full has: learned tables.

declare module "posenc-module" {
  export interface FullModule {
    /** `ids`, here and below: their address, or 0 for `count` consecutive ones. `paddingIdx`: NaN when not given. */
    tableInit(
      dim: number,
      seed: number,
      uniform: boolean,
      scale: number,
      paddingIdx: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    tableLookup(
      table: number,
      tableSize: number,
      dim: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    tableAdd(
      x: number,
      size: number,
      dim: number,
      table: number,
      tableSize: number,
      ids: number,
      count: number,
      offset: number,
    ): Outcome;
    tableGradient(
      gradient: number,
      size: number,
      dim: number,
      ids: number,
      count: number,
      offset: number,
      paddingIdx: number,
      out: number,
      outSize: number,
    ): Outcome;
    paddedPositions(mask: number, size: number, sequence: number, paddingIdx: number, past: number): Outcome;
    sgdStep(
      lr: number,
      momentum: number,
      dampening: number,
      weightDecay: number,
      nesterov: boolean,
      step: number,
      gradient: number,
      gradientSize: number,
      parameters: number,
      size: number,
      buffer: number,
      bufferSize: number,
    ): Outcome;
    /** `decay`: "" when not given. */
    adamStep(
      lr: number,
      beta1: number,
      beta2: number,
      eps: number,
      weightDecay: number,
      decay: string,
      step: number,
      gradient: number,
      gradientSize: number,
      parameters: number,
      size: number,
      firstMoment: number,
      firstSize: number,
      secondMoment: number,
      secondSize: number,
    ): Outcome;
    /** `grids`: the address of four doubles, the old height and width and the new ones. */
    tableResize(
      table: number,
      size: number,
      dim: number,
      grids: number,
      interpolation: string,
      antialias: boolean,
      alignCorners: boolean,
      prefix: number,
      out: number,
      outSize: number,
    ): Outcome;
    reformerAxialLookup(
      shape: number,
      rank: number,
      dims: number,
      dimCount: number,
      combination: string,
      tables: number,
      tablesSize: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    reformerAxialGradient(
      shape: number,
      rank: number,
      dims: number,
      dimCount: number,
      combination: string,
      gradient: number,
      gradientSize: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
  }
}
