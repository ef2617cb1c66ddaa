// One journey through all features, in one sequence. Older versions of VS Code run only this journey.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { axeViolations } from "../lib/axe.ts";
import { eventually } from "../lib/eventually.ts";
import { pressOnce } from "../lib/once.ts";
import { expectText, expectValue } from "../lib/expect.ts";
import { sampleRows, toJsonLines } from "../lib/sampleRows.ts";
import { itLeavesNoSecrets, useServer, useWorkbench } from "../lib/journey.ts";
import { importancesIn, modelPage } from "../lib/modelPage.ts";
import { Notebook } from "../lib/notebook.ts";
import { canaries } from "../lib/servers.ts";

const { username, password, token } = canaries;

describe("One journey through all features", () => {
  const server = useServer({ signIn: "session_or_token" });
  const older = useServer({ dialect: "25" });
  const journey = useWorkbench();

  const group = (name: string) => [server.address, "mindsdb", name];
  const agent = "rental_agent";

  async function children(path: string[], expected: string[]): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await journey.tree.children(path), expected);
    });
  }

  it("starts with nothing", async () => {
    const welcome = journey.tree.sideBar.locator(".welcome-view-content");
    await eventually(async () => {
      assert.equal(await welcome.locator("a.monaco-button").count(), 3);
    });
  });

  it("connects and signs in, with the right password at the second attempt", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Add Connection…");
    await quickInput.enter("The address of a MindsDB server", `http://${server.address}/`);
    await quickInput.tryAccount({ username, password: "wrong" });
    await eventually(async () => {
      assert.equal(await quickInput.message(), "The username or the password is wrong.");
    });
    await quickInput.enter("Sign In to", password);
    await quickInput.answerKeep(true);
    await children(
      [server.address],
      ["mindsdb", "support", "Data", "ML Engines", "Running Queries"],
    );
    const lists = server.logged(/databases/);
    assert.ok(lists.length > 0);
    for (const { headers } of lists) assert.equal(headers.authorization, `Bearer ${token}`);
  });

  it("browses, and shows a failed list next to the others", async () => {
    const { tree } = journey;
    server.proxy.set({
      on: /knowledge_bases$/,
      answer: { status: 500, body: '{"detail":"Broken"}' },
    });
    await tree.expand(group("Knowledge Bases"));
    await children(group("Knowledge Bases"), ["Broken."]);
    await tree.expand(group("Agents"));
    await children(group("Agents"), ["prices_agent", agent]);
    server.proxy.set();
    await tree.inlineAction([...group("Knowledge Bases"), "Broken."], "Refresh");
    await children(group("Knowledge Bases"), ["rental_guide"]);
    await tree.tooltip([...group("Agents"), agent], /Tables: files\.home_rentals/);
  });

  it("finds an item by name and copies it", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Find…");
    await quickInput.take("Find in MindsDB", "location_m", "location_model");
    const path = [...group("Models"), "location_model"];
    await journey.tree.find(path);
    await journey.tree.contextMenu(path, "Copy Qualified Name");
    await eventually(async () => {
      assert.equal(await journey.workbench.clipboard(), "location_model");
    });
  });

  it("asks, follows up, stops and asks again", async () => {
    const chat = await journey.chatWith(server.address, "mindsdb", agent);
    await chat.ask("What is the average rental price per location?");
    const answered = await chat.ended(1);
    assert.equal(answered.state, "answered");
    assert.match(answered.answer, /2602\.7/);
    const query = answered.steps.findIndex(({ words }) => words === "Query 1");
    await chat.openStep(query, /SELECT[^]*2602\.68/);

    const asked = server.hold();
    await chat.ask("And in the harbor?");
    const held = await asked;
    assert.equal(held.messages.length, 2);
    held.send({ type: "context", content: "Generating agent response..." });
    await eventually(async () => {
      assert.match(await chat.progress(), /^Thinking/);
    });
    await pressOnce(chat.composer, "Escape");
    assert.equal((await chat.ended(2)).state, "stopped");
    await held.closed;
    await chat.askAgain();
    assert.equal((await chat.ended(3)).state, "answered");
  });

  it("signs in again, once and unnoticed, when the server has lost the token", async () => {
    const chat = await journey.chat(agent);
    server.forget();
    await server.restart();
    await chat.ask("Is there a gym?");
    assert.equal((await chat.ended(4)).state, "answered");
    await eventually(() => assert.equal(server.requests(/login/).length, 1));
  });

  it("asks an agent of an older server, picked in the palette", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Add Connection…");
    await quickInput.enter("The address of a MindsDB server", older.address);
    await children(
      [older.address],
      ["mindsdb", "support", "Data", "ML Engines", "Running Queries"],
    );
    await journey.workbench.command("MindsDB: Ask Agent…");
    await quickInput.expect("Which agent?");
    await quickInput.box.fill("prices");
    await quickInput.clickRow(
      quickInput.widget
        .locator(".monaco-list-row", { hasText: older.address })
        .filter({ hasText: "prices_agent" }),
    );
    const chat = await journey.chat("prices_agent");
    await chat.ask("What is the average rental price per location?");
    const run = await chat.ended(1);
    assert.equal(run.state, "answered");
    assert.ok(run.steps.some(({ words }) => words === "Tool sql_db_list_tables"));
  });

  it("starts the sample server", async () => {
    await journey.workbench.command("MindsDB: Start Sample Server");
    const chat = await journey.chatWith("Sample Server", "support", "manual_agent");
    await chat.ask("How do I descale the kettle?");
    assert.equal((await chat.ended(1)).state, "answered");
    await journey.workbench.command("MindsDB: Stop Sample Server");
    await eventually(async () => {
      assert.deepEqual(await journey.tree.children(["Sample Server"]), ["Stopped"]);
    });
  });

  it("predicts from a file, and shows the model", async () => {
    const { workbench } = journey;
    const rows = sampleRows(250).map((row) => ({ ...row, rental_price: 1_500 }));
    fs.writeFileSync(path.join(workbench.folder, "flats.jsonl"), toJsonLines(rows));
    await workbench.openFile("flats.jsonl");
    await workbench.tab("flats.jsonl").waitFor();
    await workbench.command("MindsDB: Predict Rows…");
    await workbench.quickInput.expect("Which model?");
    await workbench.quickInput.clickRow(
      workbench.quickInput.widget
        .locator(".monaco-list-row", { hasText: "home_rentals_model" })
        .filter({ hasText: server.address }),
    );
    const notebook = await Notebook.with(workbench, "flats.predict.md");
    server.forget();
    const result = await notebook.runToEnd();
    await result.when(({ count, metrics, columns }) => {
      assert.equal(count, "250 rows");
      assert.equal(columns[0], "rental_price predicted");
      assert.match(metrics, /^Compared with actual values \(250 rows\): MAE /);
    });
    const [request] = server.logged(/\/predict$/);
    assert.deepEqual((JSON.parse(String(request?.body)) as { data: unknown }).data, rows);
    const inOrder = await result.column("rental_price", "predicted");
    await result.head("rental_price", "predicted").click();
    await eventually(async () => {
      const sorted = (await result.column("rental_price", "predicted")).map(Number);
      assert.notDeepEqual(sorted, inOrder.map(Number));
      assert.deepEqual(
        sorted,
        sorted.toSorted((a, b) => a - b),
      );
    });
    assert.deepEqual(await axeViolations(result.frame, { inShadow: true }), []);

    await journey.tree.expand(group("Models"));
    await journey.tree.click([...group("Models"), "home_rentals_model"]);
    const page = await modelPage(workbench, "home_rentals_model", "Column importance");
    await eventually(async () => {
      assert.equal((await importancesIn(page)).length, 6);
    });
    assert.deepEqual(await axeViolations(page), []);
  });

  it("predicts a row with other values", async () => {
    await journey.tree.contextMenu([...group("Models"), "home_rentals_model"], "What If…");
    const frame = await journey.workbench.frameWith(".place:has-text('files.home_rentals')");
    const predicted = frame.locator(".answer .value");
    await expectText(predicted, /^\d+(\.\d+)?$/);
    const before = await predicted.innerText();
    await frame.getByRole("textbox", { name: "sqft", exact: true }).fill("1500");
    await eventually(async () => assert.notEqual(await predicted.innerText(), before));
  });

  it("keeps the result of a cell, and what arrived of an answer, at a reload", async () => {
    const chat = await journey.chatWith(server.address, "mindsdb", agent);
    const asked = server.hold();
    await chat.ask("What about pets?");
    const held = await asked;
    held.send({ type: "context", content: "Creating execution plan..." });
    await eventually(async () => {
      assert.match(await chat.progress(), /^Plan/);
    });
    await chat.composer.fill("A draft");
    server.forget();
    await journey.reload("A draft");
    const again = await journey.chat(agent);
    const run = await again.ended(5);
    assert.deepEqual([run.state, run.steps.length], ["cutOff", 1]);
    await expectValue(again.composer, "A draft");
    await journey.tree.find([...group("Agents"), agent]);
    assert.deepEqual(await axeViolations(again.frame), []);
    const notebook = await Notebook.with(journey.workbench, "flats.predict.md");
    const result = await notebook.result();
    await result.when(({ count }) => assert.equal(count, "250 rows"));
    assert.deepEqual(server.requests(/\/predict$/), []);
  });

  it("signs out", async () => {
    server.forget();
    await journey.tree.contextMenu([server.address], "Sign Out");
    await children([server.address], ["Signed out"]);
    await eventually(() => assert.deepEqual(server.requests(/logout/), ["POST /api/logout"]));
  });

  itLeavesNoSecrets(journey);

  it("has violated no policy and contacted no other server", () => {
    const { watch } = journey.workbench;
    assert.deepEqual(watch.foreignRequests(), []);
    assert.deepEqual(
      watch.violations.filter(({ source }) => source.includes("webview")),
      [],
    );
  });
});
