// A week of a developer in a real VS Code, on real servers: names that are taken, tables that came late, statements whose
// answers mislead, and what others do on the server meanwhile. Numbers are what plain HTTP and SQL give.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { AgentForm } from "../e2e/lib/agentForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { expectCount } from "../e2e/lib/expect.ts";
import { KnowledgeBaseForm } from "../e2e/lib/knowledgeBaseForm.ts";
import { KnowledgeBasePage } from "../e2e/lib/knowledgeBasePage.ts";
import { modelPage as itemPage } from "../e2e/lib/modelPage.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { quickly } from "../e2e/lib/once.ts";
import type { Result } from "../e2e/lib/result.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { predictPlainly, seededModel, uploadRows } from "./predictRuns.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes } from "./rentals.ts";
import { MODEL_API_KEY } from "./script.ts";
import { createAgent, embeddingModel, engineOf, SEEDED } from "./seed.ts";

const notes = "week_notes";
const source = "week_duck";
const late = "late_homes";
const agents = "/api/projects/mindsdb/agents";
const bases = "/api/projects/mindsdb/knowledge_bases";
/** A value that must not become a picture. */
const markup = "<img src=x onerror=alert(1)>";
/** A name that no path of the API can hold. */
const unreachable = "slash/es";

for (const version of versions) {
  describe(`MindsDB ${version}, a week of a developer`, function () {
    this.timeout(5 * 60_000);
    const isNew = version === "26.1.0";
    const session = useClients(version);
    let proxy: FaultProxy;
    before("put a proxy in front of the server", async () => {
      proxy = await startFaultProxy({ target: fixture(version).server.url });
    });
    after("stop the proxy", () => proxy.stop());
    const journey = useRealWorkbench(version, { address: () => proxy.url });
    const rows = homes(20, 77);
    /** A project in capitals, with a model that is in training while the first tests run. */
    const capitals = "UPPER";
    let folder: string | undefined;

    before("be signed in, with a knowledge base and a data source", async () => {
      const { admin } = session;
      const { llm } = fixture(version);
      const knowledge_base = { name: notes, embedding_model: embeddingModel(llm) };
      await admin.post(bases, { knowledge_base });
      const filled = [{ id: "1", content: "Herons are shy." }];
      await admin.put(`${bases}/${notes}`, { knowledge_base: { rows: filled } });
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "week-duck-"));
      const parameters = JSON.stringify({ database: path.join(folder, "week.duckdb") });
      await admin.sql(
        `CREATE DATABASE ${source} WITH ENGINE = 'duckdb', PARAMETERS = ${parameters}`,
      );
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
      await journey.tree.expand(["Real", "mindsdb", "Knowledge Bases"]);
      await admin.sql(`CREATE PROJECT \`${capitals}\``);
      const data = "FROM files (SELECT * FROM home_rentals LIMIT 200)";
      const using = `PREDICT rental_price USING engine = '${engineOf(version)}'`;
      await admin.sql(`CREATE MODEL \`${capitals}\`.rents ${data} ${using}`);
    });

    after("leave the server as it was", async () => {
      const { admin } = session;
      for (const project of [capitals, capitals.toLowerCase()]) {
        await admin.sql(`DROP MODEL \`${project}\`.rents`).catch(() => undefined);
      }
      await admin.sql(`DROP PROJECT \`${capitals}\``).catch(() => undefined);
      await admin.sql(`DROP DATABASE ${source}`).catch(() => undefined);
      await admin.sql("DROP VIEW mindsdb.others_view").catch(() => undefined);
      await admin.sql("DROP JOB mindsdb.others_job").catch(() => undefined);
      for (const name of ["week_agent", "others_agent", notes]) {
        await admin.delete(`${agents}/${name}`).catch(() => undefined);
      }
      await admin.delete(`${bases}/${notes}`).catch(() => undefined);
      await admin.sql(`DROP AGENT mindsdb.\`${unreachable}\``).catch(() => undefined);
      await admin.delete(`/api/files/${late}`).catch(() => undefined);
      if (folder) fs.rmSync(folder, { recursive: true, force: true });
    });

    async function openCell(
      name: string,
      cell: string,
      language: "sql" | "json",
    ): Promise<Notebook> {
      const file = `${name}.predict.md`;
      const text = `\`\`\`${language} predict\n${cell}\n\`\`\`\n`;
      fs.writeFileSync(path.join(journey.workbench.folder, file), text);
      await journey.workbench.openFile(file);
      return Notebook.with(journey.workbench, file);
    }

    const names = async (list: string) =>
      ((await session.admin.get(list)) as { name: string }[]).map(({ name }) => name);

    it("gives no agent a taken name, and an agent no table that its server does not know yet", async () => {
      const { quickInput } = journey.workbench;
      await uploadRows(session.admin, late, rows);
      await journey.workbench.command("MindsDB: Create Agent…");
      const form = await AgentForm.with(journey.workbench);
      await form.fill("name", notes);
      await form.fill("modelName", "scripted");
      await form.fill("apiKey", MODEL_API_KEY);
      await form.fill("baseUrl", fixture(version).llm.url);
      const choose = async (row: string): Promise<void> => {
        await form.button("Select Tables…").click();
        await quickInput.expect("Select what the agent can query");
        await quickInput.check(row);
        await quickInput.press("Enter");
        await eventually(async () => {
          assert.ok((await form.entries("tables")).join().includes(row));
        });
      };
      await choose(`files.${late}`);
      await form.button("Create Agent").click();
      await form.says("name", /has a knowledge base named week_notes\. Choose another name\./);
      assert.ok(!(await names(agents)).includes(notes));
      await form.fill("name", "week_agent");
      if (isNew) {
        await form.button("Create Agent").click();
        await form.says("tables", /newer: files\.late_homes.*Select files\.\* instead/);
        await journey.workbench.screenshot("agent-late-table");
        assert.ok(!(await names(agents)).includes("week_agent"));
        await choose("files.*");
      }
      await form.create();
      const stored = (await session.admin.get(`${agents}/week_agent`)) as {
        data: { tables: string[] };
      };
      assert.ok(stored.data.tables.includes(isNew ? "files.*" : `files.${late}`));
      await journey.workbench.command("View: Close All Editors");

      await journey.tree.contextMenu(["Real", "mindsdb"], "Create Knowledge Base…");
      const other = await KnowledgeBaseForm.with(journey.workbench);
      await other.control("name").fill("week_agent");
      // A slow server has not said yet that it has no default.
      await other.control("embedding").selectOption("own");
      await other.control("embeddingModelName").fill("scripted-embeddings");
      await other.control("embeddingApiKey").fill(MODEL_API_KEY);
      await other.control("embeddingBaseUrl").fill(fixture(version).llm.url);
      await other.button("Create Knowledge Base").click();
      await other.says("name", /has an agent named week_agent\. Choose another name\./);
      assert.ok(!(await names(bases)).includes("week_agent"));
      await journey.workbench.command("View: Revert and Close Editor");
    });

    if (isNew) {
      it("sees which answer the server has cut, and reads the rest of it", async () => {
        const chat = await journey.chatWith("Real", "mindsdb", "week_agent");
        await chat.ask("[all] List all homes");
        const { state, sentence } = await chat.ended(1, 60_000);
        assert.equal(state, "answered", sentence);
        await chat.frame.getByText("There may be more rows").first().waitFor();
        await journey.workbench.screenshot("agent-first-100-rows");
        const whole = await session.admin.sql("SELECT sqft, rental_price FROM files.home_rentals");
        const { quickInput, dialogs } = journey.workbench;
        const answer = chat.frame.locator(".run").last().locator(".answer");
        await answer.getByRole("button", { name: "Export…" }).click();
        await quickInput.saveAs("week_agent.csv", "first.csv");
        await dialogs.toast("Exported the first 100 rows to");
        const exported = fs.readFileSync(path.join(journey.workbench.folder, "first.csv"), "utf8");
        const [head, ...lines] = exported.trim().split("\r\n");
        assert.equal(head, "sqft,rental_price");
        const numbers = lines.map((line) => line.split(",").map(Number));
        assert.deepEqual(numbers, whole.slice(0, 100));
        await chat.frame.getByRole("button", { name: "Open Query in Notebook" }).first().click();
        const { page } = journey.workbench;
        await page.locator(".notebookOverlay:visible .code-cell-row").first().waitFor();
        const result = await new Notebook(journey.workbench).runToEnd(60_000);
        await result.when(({ count }) => assert.equal(count, `${whole.length} rows`));
        await eventually(async () => {
          const shown = await result.column("sqft");
          const plain = whole.slice(0, shown.length).map(([sqft]) => String(sqft));
          assert.ok(shown.length > 5);
          assert.deepEqual(shown, plain);
        });
        await journey.workbench.command("View: Revert and Close Editor");
      });
    }

    it("sees that an agent hides a knowledge base, which is whole without it", async () => {
      const { admin } = session;
      const base = ["Real", "mindsdb", "Knowledge Bases", notes];
      await createAgent(admin, fixture(version).llm, notes, { tables: [SEEDED.table] });
      await journey.tree.click(base);
      await itemPage(journey.workbench, notes, `An agent in mindsdb is also named ${notes}.`);
      await journey.workbench.screenshot(`knowledge-base-hidden-${version}`);
      await journey.workbench.command("View: Close All Editors");
      await admin.delete(`${agents}/${notes}`);
      await journey.tree.click(base);
      const page = await KnowledgeBasePage.with(journey.workbench, notes);
      const [[count]] = (await eventually(() =>
        admin.sql(`SELECT count(*) FROM mindsdb.${notes}`),
      )) as [[number]];
      await eventually(async () =>
        assert.equal(await page.stored(), `${count} chunk in 1 document`),
      );
      await eventually(async () => {
        const facts = await page.frame.locator(".glance").innerText();
        assert.match(facts, /Content columns\s+content/);
      });
      await page.search("A shy bird");
      await eventually(async () => {
        const contents = (await page.chunks()).map(({ content }) => content);
        assert.deepEqual(contents, ["Herons are shy."]);
      });
      const request = await eventually(async () => {
        await page.frame.getByRole("button", { name: "Copy SQL Request" }).click(quickly);
        const text = await journey.workbench.clipboard();
        assert.match(text, /^SELECT[^]*week_notes/);
        return text;
      });
      assert.match(JSON.stringify(await admin.sql(request)), /Herons are shy/);
      await journey.workbench.command("View: Close All Editors");
    });

    it("sees what others do: an agent, a project in capitals with its model, and that it is trained again", async () => {
      const { admin } = session;
      const others = ["Agents", "Views", "Jobs"].map((group) => ["Real", "mindsdb", group]);
      for (const group of others) await journey.tree.expand(group);
      await admin.sql("CREATE VIEW mindsdb.others_view AS (SELECT 1 AS a)");
      await admin.sql("CREATE JOB mindsdb.others_job AS (SELECT 1) EVERY 1 day");
      await createAgent(admin, fixture(version).llm, "others_agent", { tables: [SEEDED.table] });
      // Its models are found under its name in lower case only.
      const listed = await names("/api/databases/");
      const upper = listed.find((name) => /^upper$/i.test(name)) ?? assert.fail(listed.join());
      const node = ["Real", upper, "Models", "rents"];
      // What others do is also read when the window gets the focus.
      const says = (description: RegExp) =>
        eventually(
          async () => {
            await journey.workbench.switchAwayAndBack();
            assert.match((await journey.tree.find(node, 5_000)).description, description);
          },
          240_000,
          2_000,
        );
      for (const [at, name] of ["others_agent", "others_view", "others_job"].entries()) {
        await journey.tree.find([...others[at]!, name], 120_000);
      }
      await journey.tree.collapse(["Real", "mindsdb"]);
      await journey.tree.expand(node.slice(0, -1));
      await says(/^complete · v1$/);
      await journey.tree.click(node);
      await itemPage(journey.workbench, "rents", "Version 1");
      await admin.sql(
        `RETRAIN \`${capitals.toLowerCase()}\`.rents FROM files (SELECT * FROM home_rentals LIMIT 300)`,
      );
      await says(/ v2/);
      await says(/^complete · v2$/);
      await itemPage(journey.workbench, "rents", "version 2");
      await journey.workbench.screenshot(`week-retrained-${version}`);
      await journey.workbench.command("View: Close All Editors");
      await journey.tree.collapse(["Real", upper]);
      await journey.tree.expand(["Real", "mindsdb"]);
    });

    it("deletes an agent whose name no path can hold", async () => {
      const name = unreachable;
      const node = ["Real", "mindsdb", "Agents", name];
      await journey.tree.expand(node.slice(0, -1));
      await createAgent(session.admin, fixture(version).llm, name, { tables: [SEEDED.table] });
      await journey.workbench.command("MindsDB: Refresh");
      await journey.tree.find(node, 120_000);
      await journey.tree.contextMenu(node, "Delete Agent…");
      await journey.workbench.dialogs.modal(`Delete the agent ${name} in mindsdb`, "Delete");
      await eventually(async () => assert.ok(!(await names(agents)).includes(name)));
      await eventually(async () => {
        assert.ok(!(await journey.tree.children(node.slice(0, -1))).includes(name));
      });
    });

    it("runs own statements after one question, and is told what they really did", async () => {
      const { dialogs, page } = journey.workbench;
      const { admin } = session;
      const notebook = await openCell("week", "SELECT 1", "sql");
      const run = async (statement: string, isAsked = false): Promise<Result> => {
        await notebook.paste(statement);
        if (!isAsked) return notebook.runToEnd(60_000);
        await notebook.run();
        await dialogs.modal("may change", "Run and Don't Ask Again in This Notebook");
        return notebook.result(60_000);
      };
      const says = (result: Result, note: RegExp) =>
        result.when(({ notes }) => assert.match(notes.join(), note), 60_000);

      const table = `SELECT * FROM ${source} (CREATE TABLE week_found (a int))`;
      await says(await run(table, true), /ran the statement and returned no rows/);
      await run(`INSERT INTO ${source}.week_found (a) VALUES (5)`);
      await eventually(async () => {
        assert.deepEqual(await admin.sql(`SELECT a FROM ${source}.week_found`), [[5]]);
      });
      const native = await run(`SELECT * FROM ${source} (SELECT '${markup}' AS "<i>c</i>")`);
      await eventually(async () => assert.deepEqual(await native.column("<i>c</i>"), [markup]));
      await expectCount(native.element.locator("img"), 0);
      await expectCount(page.locator(".monaco-dialog-box"), 0);
      await says(await run("SET active = 1"), /^This has no effect/);
      await says(await run(`USE ${source}`), /now use week_duck/);
      await notebook.statusBarButton(source).waitFor();
      const found = await run("SELECT a FROM week_found");
      await eventually(async () => assert.deepEqual(await found.column("a"), ["5"]));
      await journey.workbench.screenshot(`week-use-${version}`);
      const none = await run("SELECT sqft, location FROM files.home_rentals WHERE sqft < 0");
      await none.when(({ count, columns }) => {
        assert.deepEqual([count, columns], ["0 rows", ["sqft", "location"]]);
      });
      if (isNew) {
        const union = await run(
          `SELECT sqft FROM files.home_rentals UNION ALL SELECT a FROM ${source}.week_found WHERE a = 9`,
        );
        await union.when(({ message }) => assert.match(message, /nothing was read/));
      }
      const ignored = "`sq ft`";
      await notebook.paste(`SELECT rental_price FROM ${seededModel} WHERE ${ignored} = 5`);
      await expectCount(notebook.codeCells.locator(".squiggly-warning"), 1);
      const safe = { model: seededModel, rows: [{ "sq ft": 5 }] };
      const isAdded = async () => (await notebook.codeCells.count()) === 2;
      await notebook.applyFix(ignored, ["Add a Recipe Cell with These Rows"], isAdded);
      await notebook.expectRecipe(safe, 1);
      await journey.workbench.save();
      await journey.workbench.command("View: Close All Editors");
    });

    it("is asked before a statement of somebody else runs", async () => {
      const notebook = await openCell("others", `SELECT * FROM ${source} (SELECT 2)`, "sql");
      proxy.requests.length = 0;
      await notebook.run();
      const text = await journey.workbench.dialogs.modal("may change", "Cancel");
      assert.ok(text.includes("(SELECT 2)"), text);
      const sent = proxy.requests.map(({ body }) => body.toString());
      assert.ok(!sent.some((body) => body.includes("SELECT 2")), sent.join());
      await journey.workbench.command("View: Close All Editors");
    });

    it("finds tables that are not loaded yet", async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Find…");
      await quickInput.expect("Find in MindsDB");
      const finds = (text: string, row: string) =>
        eventually(async () => {
          await quickInput.box.fill(text, quickly);
          await quickInput.row(row).waitFor(quickly);
        });
      await finds(late, late);
      await finds("week_found", `Load the Tables of ${source}`);
      await quickInput.choose(`Load the Tables of ${source}`);
      await quickInput.row("week_found").waitFor();
      await quickInput.cancel();
    });

    it("sees names and values of others as they are, in the tree and on a page", async () => {
      const odd = 'Ünï "x".y 🏠 <img src=x>';
      const long = "l".repeat(200);
      for (const name of [odd, long]) {
        const table = `"${name.replaceAll('"', '""')}"`;
        const statement = `CREATE TABLE ${table} AS SELECT '${markup}' AS "<i>c</i>"`;
        // 26.1.0 creates it, and then fails to answer.
        await session.admin.sql(`SELECT * FROM ${source} (${statement})`).catch(() => undefined);
      }
      const tables = ["Real", "Data", source];
      await journey.workbench.command("MindsDB: Refresh");
      await journey.tree.expand(tables);
      await journey.tree.find([...tables, long]);
      await journey.tree.click([...tables, odd]);
      const frame = await journey.workbench.frameWith(`h1:text-is(${JSON.stringify(odd)})`);
      await eventually(async () => {
        const text = await frame.locator("main").innerText();
        assert.ok(text.includes(markup) && text.includes("<i>c</i>"), text);
      });
      await expectCount(frame.locator("main img"), 0);
      await journey.workbench.screenshot(`week-odd-table-${version}`);
      await journey.workbench.command("View: Close All Editors");
    });

    it("waits for a server that is gone in a run, whose version is shown nowhere then, and predicts when it is back", async () => {
      const { page } = journey.workbench;
      const status = page.locator(".statusbar-item", { hasText: "Real" });
      const real = async () => (await journey.tree.find(["Real"])).description;
      await eventually(async () => assert.ok((await real()).includes(version), await real()));
      const recipe = JSON.stringify({
        model: `${seededModel}.1`,
        rows: { table: `files.${late}` },
      });
      const notebook = await openCell("down", recipe, "json");
      // No answer about the model gets through before the server stops.
      proxy.set({ on: /\/(describe|predict)$/, reset: true });
      const result = await notebook.begin();
      await result.when(
        ({ message }) => assert.match(message, /Can't reach|Lost the conn/),
        60_000,
      );
      await proxy.refuse();
      await eventually(async () => {
        assert.ok(!(await real()).includes(version), await real());
        for (const text of await status.allInnerTexts()) assert.ok(!text.includes(version));
      }, 60_000);
      proxy.set();
      await proxy.accept();
      await eventually(async () => {
        const { count, message, buttons } = await result.shown();
        if (buttons.includes("Resume")) await result.button("Resume").click(quickly);
        assert.equal(count, `${rows.length} rows`, message);
      }, 120_000);
      const plain = await predictPlainly(session.admin, 1, rows);
      await eventually(async () => {
        const shown = (await result.column("rental_price", "predicted")).map((text) =>
          Number(text.replaceAll(",", "")),
        );
        assert.ok(shown.length > 5);
        assert.deepEqual(shown, plain.slice(0, shown.length));
      });
      await eventually(
        async () => assert.ok((await real()).includes(version), await real()),
        60_000,
      );
    });
  });
}
