// A user exports the trace of an answer, and sends it to a collector, which then wants an API key.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

interface Received {
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

describe("A trace", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  const question = "Which home is the cheapest?";
  let collector: http.Server;
  let address: string;
  let received: Received[] = [];
  /** The API key that the collector wants; undefined if it takes all. */
  let wanted: string | undefined;

  before("start a collector", async () => {
    collector = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { url, headers } = request;
        received.push({ url, headers, body: Buffer.concat(chunks) });
        const isRefused = wanted !== undefined && headers["x-api-key"] !== wanted;
        response.writeHead(isRefused ? 401 : 200).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`;
  });
  after("stop the collector", () => {
    collector.closeAllConnections();
    collector.close();
  });

  async function send(content: string): Promise<void> {
    const { workbench } = journey;
    await workbench.command("MindsDB: Send Trace to Collector…");
    await workbench.quickInput.pick("Select what to send to", content);
  }

  async function exportAs(name: string, content: string): Promise<string> {
    const { workbench } = journey;
    await workbench.command("MindsDB: Export Trace…");
    await workbench.quickInput.pick("Select what the trace contains", content);
    await workbench.quickInput.saveAs(/\/rental_agent\.trace\.json$/, name);
    const file = path.join(workbench.folder, name);
    await workbench.dialogs.toast("Exported the trace to");
    await workbench.clearNotifications();
    return eventually(() => fs.readFileSync(file, "utf8"));
  }

  it("is exported without content, or with it, and never with a key", async () => {
    const chat = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
    const asked = server.hold();
    await chat.ask(question);
    const held = await asked;
    held.send({ type: "context", content: "Executing exploratory SQL query: SELECT 1" });
    held.send({ type: "context", content: "Query result: | a |\n| --- |\n| 1 |" });
    held.send(
      { type: "data", text: `The studio. {'api_key': '${canaries.apiKey}'}` },
      { type: "end" },
    );
    held.end();
    await chat.ended(1);
    await chat.composer.click();

    const bare = await exportAs("bare.trace.json", "Without Content");
    assert.match(bare, /"invoke_agent rental_agent"/);
    assert.match(bare, /"execute_tool sql"/);
    assert.doesNotMatch(bare, /cheapest|studio|SELECT/);
    const whole = await exportAs("whole.trace.json", "With Content");
    for (const text of [question, "The studio", "SELECT 1"]) assert.ok(whole.includes(text), text);
    assert.ok(!whole.includes(canaries.apiKey));
  });

  it("is sent nowhere until the settings name a collector", async () => {
    const { workbench } = journey;
    await workbench.command("MindsDB: Send Trace to Collector…");
    await workbench.dialogs.toast("No trace collector is configured");
    await workbench.clearNotifications();
    assert.deepEqual(received, []);
  });

  it("is sent to the collector of the settings", async () => {
    const { workbench } = journey;
    workbench.changeMachineSettings({ "mindsdbWorkbench.trace.collector": address });
    await eventually(async () => {
      await send("Without Content");
      await workbench.dialogs.toast(`Sent the trace to ${address}/v1/traces`);
    }, 60_000);
    await workbench.screenshot("trace-sent");
    await workbench.clearNotifications();
    const [only] = received;
    assert.equal(received.length, 1);
    assert.equal(only?.url, "/v1/traces");
    assert.equal(only.headers["content-type"], "application/x-protobuf");
    assert.ok(only.body.includes("invoke_agent rental_agent"));
    assert.ok(!only.body.includes("cheapest"));
  });

  it("is sent with an API key that a collector wants, which is asked for once", async () => {
    const { workbench } = journey;
    received = [];
    wanted = canaries.apiKey;
    await send("With Content");
    await workbench.dialogs.toast("did not accept the trace (HTTP 401)", "Set Header…");
    await workbench.quickInput.expect("Collector Header");
    await workbench.screenshot("trace-header");
    await workbench.quickInput.enter("Collector Header", "a key");
    await eventually(async () => {
      assert.match(await workbench.quickInput.message(), /Enter the header as name: value/);
    });
    await workbench.quickInput.enter("Collector Header", `X-API-Key: ${canaries.apiKey}`);
    await workbench.dialogs.toast("Sent the trace to");
    await workbench.clearNotifications();
    await send("With Content");
    await workbench.dialogs.toast("Sent the trace to");
    assert.deepEqual(
      received.map(({ headers }) => headers["x-api-key"]),
      [undefined, wanted, wanted],
    );
    assert.ok(received.every(({ body }) => !body.includes(canaries.apiKey)));
  });

  itLeavesNoSecrets(journey);
});
