// Each workload of the bench is made, and whatever races in it gives the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadedModules } from "../bench/modules.mjs";
import { contestantsOf, workloads } from "../bench/workloads.mjs";

const modules = await loadedModules();

for (const workload of workloads)
  test(workload.name, async () => {
    const { contestants, end } = await contestantsOf(workload, modules);
    end();
    for (const { of, against = of } of workload.goals) assert.ok(contestants[of] && contestants[against], against);
  });
