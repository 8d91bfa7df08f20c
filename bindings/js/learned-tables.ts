import type { FullModule } from "posenc-module";
import { addRows, learnedTable, lookupRows, paddedPositions, rowsGradient } from "./learned-table.js";
import { adamStep, sgdStep } from "./optimizer.js";
import { reformerAxial, reformerAxialGradient } from "./reformer-axial.js";
import { resizeGrid, resizeTable } from "./resize.js";
import type { LearnedTables } from "./types/index.js";

/** Everything for learned positions, on one module. */
export function learnedTables(module: FullModule): LearnedTables {
  return {
    learnedTable: (options) => learnedTable(module, options),
    lookupRows: (table, options) => lookupRows(module, table, options),
    addRows: (x, table, options) => addRows(module, x, table, options),
    rowsGradient: (gradient, options) => rowsGradient(module, gradient, options),
    paddedPositions: (mask, options) => paddedPositions(module, mask, options),
    sgdStep: (parameters, options) => sgdStep(module, parameters, options),
    adamStep: (parameters, options) => adamStep(module, parameters, options),
    resizeTable: (table, options) => resizeTable(module, table, options),
    resizeGrid: (table, options) => resizeGrid(module, table, options),
    reformerAxial: (options) => reformerAxial(module, options),
    reformerAxialGradient: (gradient, options) => reformerAxialGradient(module, gradient, options),
  };
}
