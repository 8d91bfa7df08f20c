// Part of what the compiled module of posenc/full has: the encodings of relative positions.

declare module "posenc-module" {
  export interface FullModule {
    /** `shape`, here and below: the address of four doubles, heads, queries, keys and query offset. */
    relativeOffsets(shape: number, out: number, size: number): Outcome;
    relativeExpand(
      shape: number,
      inner: number,
      compact: number,
      compactSize: number,
      out: number,
      size: number,
    ): Outcome;
    relativeExpandIds(
      shape: number,
      inner: number,
      compact: number,
      compactSize: number,
      out: number,
      size: number,
    ): Outcome;
    relativeSinusoid(sinusoid: Handle, sign: string, shape: number, out: number, size: number): Outcome;

    alibiSlopes(slopes: string, steepness: number, out: number, heads: number): Outcome;
    alibiBias(
      slopes: string,
      distance: string,
      steepness: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    copeBias(
      shape: number,
      dim: number,
      future: string,
      query: number,
      logits: number,
      embedding: number,
      embeddingSize: number,
      out: number,
      counts: number,
    ): Outcome;
    fireBias(
      c: number,
      threshold: number,
      epsilon: number,
      weight1: number,
      weight1Size: number,
      bias1: number,
      bias1Size: number,
      weight2: number,
      weight2Size: number,
      bias2: number,
      bias2Size: number,
      shape: number,
      future: string,
      compact: boolean,
      out: number,
      size: number,
    ): Outcome;
    kerpleBias(
      kernel: string,
      r1: number,
      r1Size: number,
      r2: number,
      r2Size: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    sandwichBias(
      dim: number,
      base: number,
      indices: string,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    shawIds(maxDistance: number, shape: number, out: number, size: number): Outcome;
    shawAttention(
      shape: number,
      dim: number,
      valueDim: number,
      scale: number,
      maxDistance: number,
      future: string,
      query: number,
      key: number,
      value: number,
      keyTable: number,
      keyTableSize: number,
      valueTable: number,
      valueTableSize: number,
      weights: number,
      output: number,
    ): Outcome;
    swinTokens(height: number, width: number, classToken: boolean): number | Failure;
    swinTableRows(height: number, width: number, classToken: boolean): number | Failure;
    swinIndex(height: number, width: number, classToken: boolean, out: number, size: number): Outcome;
    swinBias(
      height: number,
      width: number,
      classToken: boolean,
      heads: number,
      table: number,
      tableSize: number,
      out: number,
      size: number,
    ): Outcome;
    swinLogCoordinates(
      height: number,
      width: number,
      pretrainedHeight: number,
      pretrainedWidth: number,
      out: number,
      size: number,
    ): Outcome;
    swinLogCpb(
      height: number,
      width: number,
      pretrainedHeight: number,
      pretrainedWidth: number,
      weight1: number,
      weight1Size: number,
      bias1: number,
      bias1Size: number,
      weight2: number,
      weight2Size: number,
      bias2: number,
      bias2Size: number,
      heads: number,
      out: number,
      size: number,
    ): Outcome;
    t5Make(buckets: number, maxDistance: number, bidirectional: boolean): Handle | Failure;
    t5Ids(t5: Handle, shape: number, out: number, size: number): Outcome;
    t5Bias(
      t5: Handle,
      table: number,
      tableSize: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    t5Free(t5: Handle): void;
    transformerXlAttention(
      shape: number,
      dim: number,
      valueDim: number,
      scale: number,
      future: string,
      query: number,
      key: number,
      value: number,
      relative: number,
      relativeSize: number,
      contentBias: number,
      positionBias: number,
      weights: number,
      output: number,
    ): Outcome;
    relativeShift(heads: number, queries: number, width: number, x: number, out: number): Outcome;
  }
}
