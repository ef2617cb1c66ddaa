import fs from "node:fs";
import path from "node:path";
import { listHandlers, type Handler } from "../../../src/mindsdb/handlers.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";

/** The handlers of a real server of this version, as it lists them. */
export async function recordedHandlers(
  version: "25.14.1" | "26.1.0",
  kind?: "ml",
): Promise<Handler[]> {
  const file = path.resolve(import.meta.dirname, `../../fixtures/handlers/${version}.json`);
  const rows: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
  return listHandlers(clientOf({ "/api/handlers/": rows }), kind && { kind });
}
