import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, tensor, unwrap, whole } from "./check.js";
import { biasKeys, biasOf, idsKeys, idsOf } from "./relative.js";
import type { Ids, T5BucketOptions, T5Buckets, T5Options, Tensor } from "./types/index.js";

const bucketKeys = ["buckets", "maxDistance", "bidirectional"] as const;

/** Runs `use` with the core's buckets and frees them, whatever happens. */
function withBuckets<T>(
  module: FullModule,
  { buckets = 32, maxDistance = 128, bidirectional }: T5Buckets,
  use: (handle: number) => T,
): T {
  const handle = unwrap(
    module.t5Make(whole("buckets", buckets), whole("maxDistance", maxDistance), flag("bidirectional", bidirectional)),
  );
  try {
    return use(handle);
  } finally {
    module.t5Free(handle);
  }
}

export function t5Buckets(module: FullModule, options: T5BucketOptions): Ids {
  options = checkOptions(options, [...idsKeys, ...bucketKeys], "t5Buckets");
  return withBuckets(module, options, (handle) =>
    idsOf(module, options, (shape, out) => module.t5Ids(handle, shape.address, out.address, out.length)),
  );
}

export function t5(module: FullModule, options: T5Options): Tensor {
  options = checkOptions(options, [...biasKeys, ...bucketKeys, "table"], "t5");
  const table = tensor("table", options.table, 2);
  return withBuckets(module, options, (handle) =>
    biasOf(module, table.shape[1] as number, options, (memory, shape, future, out) => {
      const values = memory.floatsFrom(table.data, "table");
      return module.t5Bias(handle, values.address, values.length, shape.address, future, out.address, out.length);
    }),
  );
}
