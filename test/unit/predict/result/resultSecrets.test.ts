// What lies on disk while a notebook is open: rows and what came of them, and nothing that opens a door.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Secrets } from "../../../../src/mindsdb/redact/redact.ts";
import { createTransport } from "../../../../src/mindsdb/http/transport.ts";
import { parseRows } from "../../../../src/predict/rows/readRows.ts";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import { listen, sendJson } from "../../mindsdb/httpServer.ts";
import { clientOver } from "../../../clientOver.ts";
import { batchesOf, senderTo } from "../files.ts";

const worker = new URL("../../../../src/predict/result/tableWorker.ts", import.meta.url);
const token = "made-up-token-4711";
const apiKey = "made-up-key-0815-abcdef";

describe("a run on disk", () => {
  it("holds no token and no key, even if a server repeats them in its reasons", async () => {
    const server = await listen(({ headers, body }, response) => {
      const said = `RuntimeError: ${headers.authorization ?? ""} with api_key=${apiKey}`;
      if (body.includes('"bad"')) sendJson(response, 500, { title: "E", detail: said });
      else response.end('[{"p":1}]');
    });
    const transport = createTransport(server.address);
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "run-secrets-"));
    try {
      const secrets = new Secrets();
      secrets.learn({ token, api_key: apiKey });
      const client = clientOver(transport, { credential: { token }, secrets });
      const folder = path.join(root, "run");
      const table = await DiskTable.create({ folder, worker });
      const rows = parseRows(Buffer.from('[{"a":"good"},{"a":"bad"}]'));
      const answers = senderTo(client).send(batchesOf(rows, 1));
      for await (const answer of answers) await table.add(answer);
      await table.written();
      assert.ok(server.seen.every(({ headers }) => headers.authorization?.includes(token)));
      const files = fs.readdirSync(folder);
      const kept = files.map((file) => fs.readFileSync(path.join(folder, file), "latin1")).join();
      assert.ok(kept.includes("RuntimeError") && kept.includes("good"));
      for (const secret of [token, apiKey]) assert.ok(!kept.includes(secret), kept);
      assert.equal(fs.statSync(folder).mode & 0o077, 0, "others cannot look into the folder");
      await table.dispose();
    } finally {
      await transport.close();
      await server.close();
      fs.rmSync(root, { recursive: true });
    }
  });
});
