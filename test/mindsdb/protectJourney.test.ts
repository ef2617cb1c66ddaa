// A user whose connections are protected, in a real VS Code on real servers: what is refused, asked and typed, and what plain
// HTTP and SQL say of the server before and after. The sample server's journeys have every other command.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { listChanges } from "../e2e/lib/changeRequests.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { expectCount } from "../e2e/lib/expect.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { quickly } from "../e2e/lib/once.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import type { Admin } from "./admin.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { embeddingModel, engineOf, SEEDED } from "./seed.ts";

const [readOnly, confirmed, production] = ["Archive", "Careful", "Live"] as const;
const project = "guarded";
const modelName = "guarded_model";

/** What is deleted: its node below the connection, and the question about it. */
const deletions: [command: string, node: string[], question: string][] = [
  ["Delete Job…", [project, "Jobs", "nightly"], `Delete the job nightly in ${project}?`],
  [
    "Delete Knowledge Base…",
    [project, "Knowledge Bases", "notes"],
    `Delete the knowledge base notes in ${project}?`,
  ],
  ["Delete Agent…", [project, "Agents", "helper"], `Delete the agent helper in ${project}?`],
  // It has two versions.
  ["Delete Model…", [project, "Models", modelName], `Delete the model ${modelName} in ${project}?`],
  ["Delete Project…", [project], `Delete the project ${project}?`],
  ["Delete Table…", ["Data", "files", "guarded_rows"], "Delete the table guarded_rows in files?"],
];

for (const version of versions) {
  describe(`MindsDB ${version}, a user whose connections are protected`, function () {
    this.timeout(240_000);
    const session = useClients(version);
    let proxy: FaultProxy;

    before("create what can be changed", async () => {
      const { server, llm } = fixture(version);
      proxy = await startFaultProxy({ target: server.url });
      const { admin } = session;
      await admin.sql(`CREATE PROJECT ${project}`);
      await train(
        admin,
        "CREATE MODEL",
        ` PREDICT rental_price USING engine = '${engineOf(version)}'`,
      );
      await admin.sql(
        "CREATE TABLE files.guarded_rows (SELECT sqft FROM files.home_rentals LIMIT 3)",
      );
      await admin.sql(`CREATE JOB ${project}.nightly AS (SELECT 1) EVERY 1 day`);
      await admin.post(`/api/projects/${project}/knowledge_bases`, {
        knowledge_base: { name: "notes", embedding_model: embeddingModel(llm) },
      });
      await admin.put(`/api/projects/${project}/knowledge_bases/notes`, {
        knowledge_base: { rows: [{ id: "1", content: "Herons are shy." }] },
      });
      const seeded = `/api/projects/mindsdb/agents/${SEEDED.tableAgent}`;
      const { model, data } = (await admin.get(seeded)) as Record<string, unknown>;
      const agent = { name: "helper", model, data };
      await admin.post(`/api/projects/${project}/agents`, { agent });
    });

    const journey = useRealWorkbench(version, {
      address: () => proxy.url,
      connections: {
        // The first one runs the notebook's cells.
        [confirmed]: { protection: "confirm" },
        [readOnly]: { protection: "readOnly" },
        [production]: { isProduction: true },
      },
    });

    before("have two versions of the model", async () => {
      await untilTrained();
      await train(session.admin, "RETRAIN", "");
      await untilTrained();
    });

    after("leave the server as it was", async () => {
      const { admin } = session;
      const remove = (statement: string) => admin.sql(statement).catch(() => undefined);
      await remove(`DROP JOB ${project}.nightly`);
      await remove(`DROP KNOWLEDGE_BASE ${project}.notes`);
      await remove(`DROP AGENT ${project}.helper`);
      await remove(`DROP MODEL ${project}.${modelName}`);
      await remove(`DROP PROJECT ${project}`);
      await remove("DROP TABLE files.guarded_rows");
      await proxy.stop();
    });

    const train = (admin: Admin, verb: string, end: string) =>
      admin.sql(
        `${verb} ${project}.${modelName} FROM files (SELECT * FROM home_rentals LIMIT 200)${end}`,
      );
    const readVersions = () =>
      session.admin.sql(
        `SELECT VERSION, STATUS FROM ${project}.models WHERE NAME = '${modelName}' ORDER BY VERSION`,
      );
    const untilTrained = () =>
      eventually(async () => {
        const rows = await readVersions();
        assert.ok(
          rows.length > 0 && rows.every(([, status]) => status === "complete"),
          rows.join(),
        );
      }, 180_000);

    /** All that the deletions could reach, by plain HTTP and SQL. */
    async function readServer(): Promise<object> {
      const { admin } = session;
      const names = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name).sort();
      const sql = (query: string) => admin.sql(query).catch(String);
      const projects = names(await admin.get("/api/databases/"));
      const isThere = projects.includes(project);
      const list = async (kind: string) =>
        isThere ? names(await admin.get(`/api/projects/${project}/${kind}`)) : [];
      return {
        projects,
        jobs: await list("jobs"),
        agents: await list("agents"),
        knowledgeBases: await list("knowledge_bases"),
        chunks: await sql(`SELECT id, chunk_content FROM ${project}.notes`),
        versions: isThere ? await readVersions() : [],
        tables: names(await admin.get("/api/tree/files")),
        rows: await sql("SELECT sqft FROM files.guarded_rows"),
      };
    }

    /** Opens the connection's tree alone, and every group of the deletions. */
    async function open(connection: string): Promise<void> {
      for (const other of [readOnly, confirmed, production]) {
        if (other !== connection) await journey.tree.collapse([other]);
      }
      await journey.tree.expand([connection, "Data", "files"]);
      for (const group of ["Models", "Knowledge Bases", "Agents", "Jobs"]) {
        await journey.tree.expand([connection, project, group]);
      }
      proxy.requests.length = 0;
    }

    const isEmptied = (node: string[]) => node.length > 1 || node[0] !== project;

    it("changes nothing over a read-only connection, and says why", async () => {
      const { dialogs, page } = journey.workbench;
      const before = await readServer();
      await open(readOnly);
      for (const [command, node] of deletions.filter(([, node]) => isEmptied(node))) {
        await journey.tree.contextMenu([readOnly, ...node], command);
        await dialogs.toast(`The connection ${readOnly} is read-only.`);
        await expectCount(page.locator(".monaco-dialog-box"), 0);
        await journey.workbench.command("Notifications: Clear All Notifications");
      }
      assert.deepEqual(listChanges(proxy.requests), []);
      await eventually(async () => {
        assert.deepEqual(await readServer(), before);
      });
    });

    it("says of a project that is not empty what it holds", async () => {
      const { dialogs, page } = journey.workbench;
      await journey.tree.contextMenu([readOnly, project], "Delete Project…");
      const text = await dialogs.modal(`${project} is not empty`);
      for (const line of [`Models: ${modelName}`, "Agents: helper", "Knowledge Bases: notes"]) {
        assert.ok(text.includes(line), text);
      }
      await eventually(async () => {
        await page.keyboard.press("Escape");
        await page.locator(".monaco-dialog-box").waitFor({ state: "hidden", ...quickly });
      });
    });

    it("asks before each change of a connection with confirmations, and Cancel sends nothing", async () => {
      const { dialogs } = journey.workbench;
      const before = await readServer();
      await open(confirmed);
      for (const [command, node, question] of deletions.filter(([, node]) => isEmptied(node))) {
        await journey.tree.contextMenu([confirmed, ...node], command);
        const text = await dialogs.modal(question, "Cancel");
        assert.ok(text.includes(`Connection: ${confirmed} (${proxy.url}).`), text);
        if (command === "Delete Model…") assert.match(text, /All 2 versions are deleted/);
      }
      const name = "drop.predict.md";
      const cell = `\`\`\`sql predict\nDROP KNOWLEDGE_BASE ${project}.notes\n\`\`\`\n`;
      fs.writeFileSync(path.join(journey.workbench.folder, name), cell);
      await journey.workbench.openFile(name);
      const notebook = await Notebook.with(journey.workbench, name);
      await notebook.expectKernel(confirmed);
      await notebook.run();
      await dialogs.modal(`Run a statement that may change “${confirmed}”?`, "Cancel");
      assert.deepEqual(listChanges(proxy.requests), []);
      await eventually(async () => {
        assert.deepEqual(await readServer(), before);
      });
      await journey.workbench.command("View: Close All Editors");
    });

    it("shows in the cell that a read-only connection has sent nothing, and no older result", async () => {
      const { quickInput } = journey.workbench;
      const before = await readServer();
      // New notebooks use the connection that was chosen last.
      const name = "archive.predict.md";
      const cell = `\`\`\`sql predict\nSELECT sqft FROM files.guarded_rows\n\`\`\`\n`;
      fs.writeFileSync(path.join(journey.workbench.folder, name), cell);
      await journey.workbench.openFile(name);
      const notebook = await Notebook.with(journey.workbench, name);
      await notebook.kernels();
      await quickInput.choose(readOnly);
      await notebook.expectKernel(readOnly);
      const rows = await notebook.runToEnd(60_000);
      await rows.when(({ count }) => assert.equal(count, "3 rows"));
      await notebook.paste(`DROP KNOWLEDGE_BASE ${project}.notes`);
      await notebook.run();
      await eventually(async () => {
        const { message, count } = await (await notebook.result()).shown();
        assert.deepEqual([message, count], ["This connection is read-only. Nothing was sent.", ""]);
      }, 60_000);
      await journey.workbench.screenshot(`read-only-cell-${version}`);
      assert.deepEqual(await readServer(), before);
      await journey.workbench.command("View: Revert and Close Editor");
    });

    it("deletes in production what is typed, and nothing before", async () => {
      const { quickInput } = journey.workbench;
      await open(production);
      const before = await readServer();
      for (const [command, node, question] of deletions) {
        const name = node.at(-1)!;
        await journey.tree.contextMenu([production, ...node], command);
        await quickInput.enter(question, name.slice(1));
        await eventually(async () =>
          assert.match(await quickInput.message(), new RegExp(`That does not match ${name}\\.`)),
        );
        if (command === "Delete Job…") {
          assert.deepEqual(listChanges(proxy.requests), []);
          await eventually(async () => {
            assert.deepEqual(await readServer(), before);
          });
        }
        await quickInput.enter(question, name);
        await eventually(async () => {
          const shown = await journey.tree.children([production, ...node.slice(0, -1)]);
          assert.ok(!shown.includes(name), shown.join());
        }, 60_000);
      }
      const { projects, tables, versions, jobs } = (await readServer()) as Record<string, string[]>;
      assert.ok(!projects?.includes(project), projects?.join());
      assert.ok(!tables?.includes("guarded_rows"), tables?.join());
      assert.deepEqual([versions, jobs], [[], []]);
      // Models and jobs of a project that is gone would stay in these lists.
      const rows = await session.admin.sql("SELECT NAME FROM information_schema.jobs");
      assert.deepEqual(rows, []);
    });
  });
}
