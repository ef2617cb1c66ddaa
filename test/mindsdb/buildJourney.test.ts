// A user who builds, in a real VS Code on real servers: a project, tables, a knowledge base, jobs and queries. What
// each step leaves on the server is what plain HTTP and SQL say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Frame } from "playwright-core";
import { installMindsDB } from "../../scripts/mindsdb/install.ts";
import { AgentForm } from "../e2e/lib/agentForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { KnowledgeBaseForm } from "../e2e/lib/knowledgeBaseForm.ts";
import { KnowledgeBasePage } from "../e2e/lib/knowledgeBasePage.ts";
import { modelPage as itemPage } from "../e2e/lib/modelPage.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { MODEL_API_KEY } from "./script.ts";

const project = "workshop";
const name = "bird_notes";
const files = ["Real", "Data", "files"];
const bases = ["Real", project, "Knowledge Bases"];
const listPath = `/api/projects/${project}/knowledge_bases`;
/** The rows that are uploaded as files of every kind. */
const birds = [
  { id: 1, bird: "heron", text: "Herons are shy." },
  { id: 2, bird: "owl", text: "Owls hoot at night." },
  { id: 3, bird: "stork", text: "Storks bring the keys." },
];
const kinds = ["csv", "json", "jsonl", "xlsx", "parquet"] as const;
/** Writes birds.json in every other kind that needs a library. */
const writeBirds = `
import pandas
rows = pandas.read_json("birds.json")
rows.to_excel("birds.xlsx", index=False)
rows.to_parquet("birds.parquet", index=False)
`;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who builds`, () => {
    const session = useClients(version);
    const journey = useRealWorkbench(version);

    before("write the files", async () => {
      const { folder } = journey.workbench;
      const write = (file: string, text: string): void =>
        fs.writeFileSync(path.join(folder, file), text);
      write("birds.json", JSON.stringify(birds));
      write("birds.jsonl", birds.map((row) => JSON.stringify(row)).join("\n"));
      const lines = birds.map((row) => Object.values(row).join(","));
      write("birds.csv", ["id,bird,text", ...lines].join("\n"));
      execFileSync(await installMindsDB(version), ["-c", writeBirds], { cwd: folder });
      fs.mkdirSync(path.join(folder, "handbook", "rules"), { recursive: true });
      write("handbook/rules/noise.txt", "Owls may hoot after ten.");
    });

    after("leave the server as it was", async () => {
      const { admin } = session;
      await admin.delete(`${listPath}/${name}`).catch(() => undefined);
      await admin.delete(`/api/databases/${project}`).catch(() => undefined);
      for (const kind of kinds) {
        await admin.delete(`/api/files/birds_${kind}`).catch(() => undefined);
      }
    });

    const ids = async (): Promise<string[]> => {
      const rows = await eventually(() =>
        session.admin.sql(`SELECT DISTINCT id FROM ${project}.${name}`),
      );
      return rows.map(([id]) => String(id)).sort();
    };
    const button = (frame: Frame, label: string) =>
      frame.getByRole("button", { name: label, exact: true });

    it("creates a project", async () => {
      await journey.tree.contextMenu(["Real"], "Create Project…");
      await journey.workbench.quickInput.enter("Lowercase letters", project);
      await journey.tree.find(["Real", project]);
      const projects = (await session.admin.get("/api/projects/")) as { name: string }[];
      assert.ok(projects.some((one) => one.name === project));
    });

    it("uploads files of every kind as tables, which SQL reads alike", async () => {
      const { quickInput } = journey.workbench;
      for (const kind of kinds) {
        const explorer = await journey.workbench.openView("Explorer");
        await explorer.contextMenu([`birds.${kind}`], "Upload as Table…");
        await quickInput.enter("The table's name.", `birds_${kind}`);
        await itemPage(journey.workbench, `birds_${kind}`, "3 rows");
        assert.deepEqual(
          await session.admin.sql(`SELECT id, bird, text FROM files.birds_${kind} ORDER BY id`),
          birds.map((row) => Object.values(row)),
          kind,
        );
      }
    });

    it("previews a table as plain SQL reads it, and uses it in an agent", async () => {
      await journey.workbench.openView("MindsDB");
      await journey.tree.expand(["Real", "Data"]);
      await journey.tree.expand(files);
      await journey.tree.click([...files, "home_rentals"]);
      const page = await itemPage(journey.workbench, "home_rentals", "First 100 rows");
      const [row = []] = await session.admin.sql("SELECT * FROM files.home_rentals LIMIT 1");
      const cells = page.locator('.grid-row .cell[data-row="0"]');
      await eventually(async () =>
        assert.deepEqual((await cells.allInnerTexts()).map(plainText), row.map(String)),
      );
      await journey.workbench.screenshot(`table-real-${version}`);
      await journey.tree.contextMenu([...files, "birds_xlsx"], "Create Agent from Table…");
      const form = await AgentForm.with(journey.workbench);
      await eventually(async () => {
        assert.match((await form.entries("tables")).join(), /files\.birds_xlsx/);
      });
      await journey.workbench.command("View: Revert and Close Editor");
    });

    it("creates a knowledge base with the form, as plain HTTP shows it", async () => {
      await journey.tree.contextMenu(["Real", project], "Create Knowledge Base…");
      const form = await KnowledgeBaseForm.with(journey.workbench);
      await form.control("name").fill(name);
      // A slow server has not said yet that it has no default.
      await form.control("embedding").selectOption("own");
      await form.control("embeddingModelName").fill("scripted-embeddings");
      await form.control("embeddingApiKey").fill(MODEL_API_KEY);
      await form.control("embeddingBaseUrl").fill(fixture(version).llm.url);
      await form.control("metadataColumns").fill("bird");
      await form.button("Create Knowledge Base").click();
      await KnowledgeBasePage.with(journey.workbench, name);
      const row = (await session.admin.get(`${listPath}/${name}`)) as Record<string, unknown>;
      assert.deepEqual(row["metadata_columns"], ["bird"]);
      assert.deepEqual(row["embedding_model"], {
        provider: "openai",
        model_name: "scripted-embeddings",
        api_key: "******",
        base_url: fixture(version).llm.url,
      });
    });

    it("adds a file, a table, a SELECT and a folder of texts, as plain SQL counts them", async () => {
      const { quickInput } = journey.workbench;
      const add = async (frame: Frame, count: number, expected: string[]): Promise<void> => {
        await frame.getByText(`${count} document`).first().waitFor();
        await button(frame, "Add Content").click();
        await frame.getByText(`${count} sent, ${count} stored.`).waitFor();
        await eventually(async () => {
          assert.deepEqual(await ids(), expected);
        });
      };
      await journey.tree.expand(bases);
      await journey.tree.contextMenu([...bases, name], "Add Content to Knowledge Base…");
      await quickInput.choose("birds.jsonl");
      const frame = await journey.workbench.frameWith(".counts");
      await add(frame, 3, ["1", "2", "3"]);

      await button(frame, "Select Another Source…").click();
      await quickInput.choose("SELECT on the Server…");
      await quickInput.enter(
        "A SELECT.",
        "SELECT concat('b', id) AS id, text FROM files.birds_csv WHERE id < 3",
      );
      await add(frame, 2, ["1", "2", "3", "b1", "b2"]);

      await button(frame, "Select Another Source…").click();
      await quickInput.choose("Folder of Text Files…");
      await quickInput.chooseFolder("handbook", "rules");
      await add(frame, 1, ["1", "2", "3", "b1", "b2", "rules/noise.txt"]);

      await session.admin.sql(
        "CREATE TABLE files.birds_more (SELECT concat('t', id) AS id, text FROM files.birds_csv)",
      );
      await journey.tree.inlineAction(files, "Refresh");
      await journey.tree.contextMenu([...files, "birds_more"], "Add Table to Knowledge Base…");
      await quickInput.choose(name);
      await add(frame, 3, ["1", "2", "3", "b1", "b2", "rules/noise.txt", "t1", "t2", "t3"]);
      await session.admin.delete("/api/files/birds_more");
      await journey.workbench.screenshot(`fill-real-${version}`);
    });

    if (version.startsWith("26")) {
      it("changes it", async () => {
        await journey.tree.contextMenu([...bases, name], "Edit Knowledge Base…");
        const form = await KnowledgeBaseForm.with(journey.workbench, `Edit ${name}`);
        await form.control("metadataColumns").fill("bird, season");
        await form.button("Save Changes").click();
        await eventually(async () => {
          const row = (await session.admin.get(`${listPath}/${name}`)) as Record<string, unknown>;
          assert.deepEqual(row["metadata_columns"], ["bird", "season"]);
        });
      });
    } else {
      it("is not offered a change, which this version cannot do", async () => {
        const items = await journey.tree.contextMenuItems([...bases, name]);
        assert.ok(!items.includes("Edit Knowledge Base…"), items.join());
      });
    }

    it("lists a query that waits, and cancels it", async () => {
      const { admin } = session;
      // The servers' background tasks are off, so it never starts; 26.1.0 does not say so either.
      await admin.sql(
        "INSERT INTO mindsdb.listing_notes (SELECT id, text AS content FROM files.birds_csv) " +
          "USING batch_size = 1, track_column = id",
      );
      const list = () => admin.sql("SELECT ID FROM information_schema.queries");
      const [[id]] = (await list()) as [[number]];
      await journey.tree.expand(["Real", "Running Queries"]);
      const query = ["Real", "Running Queries", `Query ${id}`];
      await eventually(async () => {
        assert.match((await journey.tree.find(query)).description, /^queued .*INSERT INTO/);
      });
      await journey.tree.contextMenu(query, "Cancel Query…");
      await journey.workbench.dialogs.modal(`Cancel the query ${id}`, "Cancel Query");
      await eventually(async () => assert.deepEqual(await list(), []));
    });
  });
}

/** A cell's text as SQL would give it: numbers without separators. */
function plainText(text: string): string {
  return text.replaceAll(",", "");
}
