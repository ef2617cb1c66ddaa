// A schema for objects whose keys a server, a file or the user names. `v.record` drops `__proto__`, `prototype` and
// `constructor`, which are names like any other there.
import * as v from "valibot";
import { isObject, type JsonObject } from "./json.ts";

export function recordOf<Value>(
  value: v.GenericSchema<unknown, Value>,
): v.GenericSchema<unknown, Record<string, Value>> {
  return v.pipe(
    v.custom<JsonObject>(isObject),
    v.transform((object) => Object.entries(object)),
    v.array(v.tuple([v.string(), value])),
    // Unlike an assignment, this creates a field called `__proto__`.
    v.transform((entries) => Object.fromEntries(entries)),
  );
}
