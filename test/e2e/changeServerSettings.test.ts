// A user changes a server's default language model: a refused key, a test, and saving.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { axeViolations } from "./lib/axe.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

// The server refuses keys that begin like this.
const refusedKey = `bad-${canaries.apiKey}`;
const stores = /^PUT \/api\/config/;

describe("Server Settings", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Server: server }));
  let frame: Frame;

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
    await journey.tree.contextMenu(["Server"], "Server Settings");
    frame = await journey.workbench.frameWith('.form h1:text-is("Server Settings")');
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

  itLeavesNoSecrets(journey);
});
