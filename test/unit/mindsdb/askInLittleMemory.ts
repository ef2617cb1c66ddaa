// Worker that requests a list from a server and reports the outcome. The parent limits its memory.
import { parentPort, workerData } from "node:worker_threads";
import { responseLimits } from "../../../src/mindsdb/http/responseBody.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import type { ServerAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { clientOver } from "../../clientOver.ts";

const transport = createTransport(workerData as ServerAddress);
const outcome = await clientOver(transport)
  .get("/api/databases/", { limits: responseLimits.listing })
  .then(() => "an answer", String);
await transport.close();
parentPort?.postMessage(outcome);
