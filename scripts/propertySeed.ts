// The seed of all property tests (fast-check). It is always the same, so that a run of the tests depends on nothing but
// the code; `npm run test:seeds` searches with others. FC_SEED=n runs the tests with the inputs of seed n.
import * as fc from "fast-check";

export const propertySeed = Number(process.env["FC_SEED"] ?? 1);
if (!Number.isInteger(propertySeed)) throw new Error("FC_SEED must be a whole number");

fc.configureGlobal({ seed: propertySeed });
