// The one seed of all property tests, printed so that a failure can be run again: FC_SEED=n npm run test:unit
import * as fc from "fast-check";

export const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
fc.configureGlobal({ seed });
console.log(`FC_SEED=${String(seed)}`);
