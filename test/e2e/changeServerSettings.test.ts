// A user changes a server's default language model: a refused key, a test, saving, and reading it back without the key.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount, expectValue } from "./lib/expect.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

// The server refuses keys that begin like this.
const refusedKey = `bad-${canaries.apiKey}`;
const stores = /^PUT \/api\/config/;
const changes = /^(PUT|DELETE|PATCH) |^POST .*\/(agents|knowledge_bases)$/;

describe("Server Settings", () => {
  const server = useServer();
  const journey = useWorkbench(() => {
    const options = connectedTo({ Server: server, Archive: server });
    const [own, archive] = options.machineSettings!["mindsdbWorkbench.connections"] as object[];
    const connections = [own, { ...archive, protection: "readOnly" }];
    return { machineSettings: { "mindsdbWorkbench.connections": connections } };
  });
  let frame: Frame;

  const open = async (connection: string): Promise<void> => {
    await journey.tree.contextMenu([connection], "Server Settings");
    const form = `.form:has-text("On ${connection}") h1:text-is("Server Settings")`;
    frame = await journey.workbench.frameWith(form);
  };
  const field = (name: string): Locator => frame.locator(`.field[data-field="${name}"]`);
  const select = (name: string, value: string) => field(name).locator("select").selectOption(value);
  const input = (name: string): Locator => field(name).locator("input").first();
  const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
  const says = (name: string, sentence: RegExp): Promise<void> =>
    eventually(async () => assert.match(await field(name).innerText(), sentence));
  const fillModel = async (key: string): Promise<void> => {
    await select("language", "own");
    await select("languageProvider", "openai");
    await input("languageModelName").fill("gpt-4o");
    await input("languageApiKey").fill(key);
  };

  it("shows a refused key at its field, and stores nothing", async () => {
    await open("Server");
    await fillModel(refusedKey);
    await press("Test Models");
    await says("languageApiKey", /openai does not accept this key\. Enter another one\./);
    await expectCount(frame.getByText(canaries.apiKey), 0);
    assert.deepEqual(server.requests(stores), []);
    assert.deepEqual(await axeViolations(frame), []);
    await journey.workbench.screenshot("server-settings");
  });

  it("tests the default language model, which leaves nothing on the server, and changes it", async () => {
    await input("languageApiKey").fill(canaries.apiKey);
    await press("Test Models");
    await frame.getByText("The server got answers from: language model.").waitFor();
    assert.deepEqual(server.requests(stores), []);
    await press("Save Changes");
    await frame.getByText("Saved.", { exact: true }).waitFor();
    const stored = { provider: "openai", model_name: "gpt-4o", api_key: canaries.apiKey };
    await eventually(() => {
      const bodies = server.logged(stores).map(({ body }) => JSON.parse(String(body)) as object);
      assert.deepEqual(bodies, [{ default_llm: stored }]);
    });
    const agents = await fetch(`${server.behind}/api/projects/mindsdb/agents`);
    assert.doesNotMatch(await agents.text(), /workbench_test/);
  });

  it("shows the stored model without its key, and wants the key with another model", async () => {
    await expectValue(input("languageApiKey"), "");
    await frame.getByPlaceholder("Stored on the server").waitFor();
    await input("languageModelName").fill("gpt-5");
    await press("Save Changes");
    await says("languageApiKey", /Enter the key again\./);
    await eventually(() => assert.equal(server.requests(stores).length, 1));
    await input("languageModelName").fill("gpt-4o");
  });

  it("neither tests nor stores anything on a read-only connection", async () => {
    server.forget();
    await open("Archive");
    await expectValue(input("languageModelName"), "gpt-4o");
    await fillModel("k");
    for (const [button, outcome] of [
      ["Test Models", "Not tested."],
      ["Save Changes", "Not saved."],
    ] as const) {
      await press(button);
      await frame.getByText(outcome).waitFor();
      await journey.workbench.dialogs.toast("The connection Archive is read-only.");
    }
    assert.deepEqual(server.requests(changes), []);
  });

  itLeavesNoSecrets(journey);
});
