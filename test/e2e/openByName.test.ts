// A user works with a server that has only the published API: nothing is listed, but everything can be opened by name.
import assert from "node:assert/strict";
import { apiOnlyToken, held, startApiOnlyServer, type ApiOnlyServer } from "../apiOnlyServer.ts";
import { eventually } from "./lib/eventually.ts";
import { itLeavesNoSecrets, useWorkbench } from "./lib/journey.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";
import { modelPage } from "./lib/modelPage.ts";
import { Notebook } from "./lib/notebook.ts";
import { canaries } from "./lib/servers.ts";
import { placesThatHold } from "./lib/storage.ts";

const { username, password } = canaries;
const unlisted = "Not listed";

describe("A server that lists nothing", () => {
  let server: ApiOnlyServer;
  before("start a server", async () => {
    server = await startApiOnlyServer({
      login: { username, password },
      stream: 404,
      describe: "object",
      predict: "data",
    });
  });
  after("stop the server", () => server.stop());
  const journey = useWorkbench();

  const described = (path: string[], says: string): Promise<void> =>
    eventually(async () => assert.equal((await journey.tree.find(path)).description, says));

  it("is connected by its address, with a sign-in", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Add Connection…");
    await quickInput.enter("The address of a MindsDB server", server.address);
    await quickInput.signIn({ username, password }, { keep: false });
    await described([server.address, unlisted], "Open by Name…");
  });

  it("opens an agent by name, and asks it without a stream", async () => {
    const { quickInput } = journey.workbench;
    await journey.tree.click([server.address, unlisted]);
    await quickInput.pick("What kind of item?", "Agent");
    await quickInput.enter("The project that contains it", held.project);
    await quickInput.enter("The name of the agent", held.agent);
    const chat = await journey.chat(held.agent);
    await chat.ask("What does a studio cost?");
    const run = await chat.ended(1);
    assert.equal(run.state, "answered", run.sentence);
    assert.match(run.answer, /A studio costs 1,200 a month\./);
    assert.deepEqual(
      run.steps.map(({ words }) => words),
      ["This server does not stream: the answer arrives all at once, without steps"],
    );
    await journey.workbench.screenshot("open-by-name-chat");
  });

  it("keeps the agent in the tree, also after a reload", async () => {
    const group = [server.address, held.project, "Agents"];
    await journey.tree.expand(group);
    await journey.tree.find([...group, held.agent]);
    await journey.reload();
    await journey.tree.expand(group);
    await journey.tree.find([...group, held.agent]);
    await eventually(async () => {
      const items = await journey.tree.contextMenuItems([...group, held.agent]);
      assert.ok(items.includes("Remove from Tree"), items.join());
      assert.ok(!items.some((item) => /Edit|Delete/.test(item)), items.join());
    });
  });

  it("opens a knowledge base by name from its group", async () => {
    const group = [server.address, held.project, "Knowledge Bases"];
    await journey.tree.expand(group);
    await journey.tree.click([...group, unlisted]);
    await journey.workbench.quickInput.enter("The name of the knowledge base", held.knowledgeBase);
    const page = await KnowledgeBasePage.with(journey.workbench, held.knowledgeBase);
    await eventually(async () => {
      const fields = await page.fields();
      assert.ok(fields.some(({ name, value }) => name === "id_column" && value === "order_id"));
    });
    await described([...group, held.knowledgeBase], "openai · text-embedding-3-small");
  });

  it("opens a model by name from the palette, describes it and predicts with it", async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.command("MindsDB: Open by Name…");
    await quickInput.pick("What kind of item?", "Model");
    await quickInput.enter("The project that contains it", held.project);
    await quickInput.enter("The name of the model", held.model);
    const page = await modelPage(workbench, held.model, "Column importance");
    await page.getByLabel("Attribute").fill("ensemble");
    await page.getByRole("button", { name: "Describe" }).click();
    await page.getByText("nothing more").waitFor();
    await workbench.screenshot("open-by-name-model");
    await page.getByRole("button", { name: "Predict…" }).click();
    const notebook = await Notebook.with(workbench, `${held.model}.predict.md`);
    const result = await notebook.runToEnd();
    await result.when(({ count, columns }) => {
      assert.equal(count, "1 row");
      assert.equal(columns[0], "rental_price predicted");
    });
  });

  it("forgets what is removed from the tree", async () => {
    const group = [server.address, held.project, "Agents"];
    await journey.tree.expand(group);
    await journey.tree.contextMenu([...group, held.agent], "Remove from Tree");
    await eventually(async () => {
      assert.ok(!(await journey.tree.children(group)).includes(held.agent));
    });
  });

  itLeavesNoSecrets(journey);

  it("leaves no token behind", async () => {
    assert.deepEqual(await placesThatHold(journey.workbench, [apiOnlyToken]), []);
  });
});
