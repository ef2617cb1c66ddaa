// Every command that changes a server, on connections of each protection: one table of all of them.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { TrainField } from "../../src/models/trainValidation.ts";
import { AgentForm } from "./lib/agentForm.ts";
import { listChanges } from "./lib/changeRequests.ts";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { useServer, useWorkbench } from "./lib/journey.ts";
import type { JourneyServer } from "./lib/servers.ts";

/** Names of connections: each has one protection. Those of the older server have a number behind. */
const [readOnly, confirmed, production] = ["Archive", "Careful", "Live"] as const;
const ofOld = "25";

interface Change {
  command: string;
  /** The node that the command is for, below the connection. */
  node: string[];
  /** What leads from the command to the question. */
  fillIn?: () => Promise<void>;
  /** The question, which names the object. */
  question: string;
  /** What else the question says. */
  detail?: RegExp;
  /** On the older server, which has models that can be finetuned. */
  isOnOld?: boolean;
  /** Deletions: what is typed on a production connection. */
  deletes?: string;
}

describe("Protection of every change", () => {
  const server = useServer();
  const old = useServer({ dialect: "25" });
  const journey = useWorkbench(() => {
    const connections = ({ address }: JourneyServer, suffix: string) =>
      [
        { name: readOnly + suffix, protection: "readOnly" },
        { name: confirmed + suffix, protection: "confirm" },
        { name: production + suffix, isProduction: true },
      ].map((one) => ({ id: one.name.toLowerCase(), address, ...one }));
    return {
      // All rows are in the window at once.
      viewport: { width: 1280, height: 1200 },
      machineSettings: {
        "mindsdbWorkbench.connections": [...connections(server, ""), ...connections(old, ofOld)],
      },
    };
  });

  const press = (selector: string, name: string) => async (): Promise<void> => {
    const frame = await journey.workbench.frameWith(selector);
    await frame.getByRole("button", { name, exact: true }).click();
  };

  const models = ["mindsdb", "Models"];
  const bases = ["mindsdb", "Knowledge Bases"];
  const files = ["Data", "files"];
  const changes: Change[] = [
    {
      command: "Delete Job…",
      node: ["support", "Jobs", "nightly"],
      question: "Delete the job nightly in support?",
      deletes: "nightly",
    },
    {
      command: "Cancel Query…",
      node: ["Running Queries", "Query 1"],
      question: "Cancel the query 1?",
    },
    {
      command: "Set Active Model Version",
      node: [...models, "rent_model", "version 1"],
      question: "Use version 1 of rent_model in mindsdb?",
    },
    {
      command: "Delete Model Version…",
      node: [...models, "rent_model", "version 1"],
      question: "Delete version 1 of rent_model in mindsdb?",
      deletes: "rent_model",
    },
    {
      command: "Delete Model…",
      node: [...models, "rent_model"],
      question: "Delete the model rent_model in mindsdb?",
      detail: /All 2 versions are deleted for everyone\./,
      deletes: "rent_model",
    },
    {
      command: "Retrain Model…",
      node: [...models, "rent_model"],
      fillIn: press('h1:text-is("Retrain rent_model")', "Retrain rent_model"),
      question: "Train a new version of rent_model in mindsdb and make it active?",
    },
    {
      command: "Fine-Tune Model…",
      node: [...models, "home_rentals_model"],
      isOnOld: true,
      fillIn: async () => {
        const heading = "Fine-Tune home_rentals_model";
        const form = await AgentForm.with<TrainField>(journey.workbench, heading);
        await form.choose("source", "A SELECT");
        await form.fill("select", "SELECT * FROM files.home_rentals");
        await form.button(heading).click();
      },
      question: "Train a new version of home_rentals_model in mindsdb and make it active?",
    },
    {
      command: "Train Model on Table…",
      node: [...files, "home_rentals"],
      fillIn: async () => {
        const frame = await journey.workbench.frameWith('h1:text-is("Train Model")');
        await frame.locator(".rows td").first().waitFor();
        await frame.locator("[data-field=name] input").fill("other_model");
        await frame.locator("[data-field=target] select").selectOption({ index: 1 });
        await frame.getByRole("button", { name: "Train Model", exact: true }).click();
      },
      question: "Train the model other_model in mindsdb?",
    },
    {
      command: "Delete Table…",
      node: [...files, "home_rentals"],
      question: "Delete the table home_rentals in files?",
      deletes: "home_rentals",
    },
    {
      command: "Upload as Table…",
      node: files,
      fillIn: async () => {
        const { quickInput } = journey.workbench;
        await quickInput.choose("homes.csv");
        await quickInput.enter("The table's name.", "homes");
      },
      question: "Upload homes.csv as the table homes?",
    },
    {
      command: "Create Project…",
      node: [],
      fillIn: () => journey.workbench.quickInput.enter("Lowercase letters", "others"),
      question: "Create the project others?",
    },
    {
      command: "Delete Project…",
      node: ["trials"],
      question: "Delete the project trials?",
      detail: /Its jobs are deleted first: weekly/,
      deletes: "trials",
    },
    {
      command: "Create Knowledge Base…",
      node: bases,
      fillIn: async () => {
        const frame = await journey.workbench.frameWith('h1:text-is("Create Knowledge Base")');
        await frame.locator("[data-field=name] input").fill("other_notes");
        await frame.locator("[data-field=embeddingModelName] input").fill("embeddings");
        await frame.locator("[data-field=embeddingApiKey] input").fill("made-up-key");
        await frame.getByRole("button", { name: "Create Knowledge Base", exact: true }).click();
      },
      question: "Create the knowledge base other_notes in mindsdb?",
    },
    {
      command: "Edit Knowledge Base…",
      node: [...bases, "rental_guide"],
      fillIn: async () => {
        const frame = await journey.workbench.frameWith('h1:text-is("Edit rental_guide")');
        await frame.locator("[data-field=metadataColumns] input").fill("topic, season");
        await frame.getByRole("button", { name: "Save Changes", exact: true }).click();
      },
      question: "Change the knowledge base rental_guide in mindsdb?",
    },
    {
      command: "Add Content to Knowledge Base…",
      node: [...bases, "rental_guide"],
      fillIn: async () => {
        await journey.workbench.quickInput.choose("notes.jsonl");
        const frame = await journey.workbench.frameWith(".counts");
        await frame.getByText("2 documents.").waitFor();
        await frame.getByRole("button", { name: "Add Content", exact: true }).click();
      },
      question: "Add 2 documents to the knowledge base rental_guide in mindsdb?",
    },
    {
      command: "Browse Documents",
      node: [...bases, "rental_guide"],
      fillIn: async () => {
        const frame = await journey.workbench.frameWith(".grid");
        await frame.getByLabel("Filter by ID").fill("heron");
        // Rows that are drawn again lose the click.
        await eventually(async () => {
          const row = frame.locator(".grid-row", { hasText: "heron" }).first();
          await row.click({ timeout: 5_000 });
          await frame.getByRole("heading", { name: "heron" }).waitFor({ timeout: 5_000 });
        });
        await frame.getByRole("button", { name: "Delete…" }).click();
      },
      question: "Delete the document heron from the knowledge base rental_guide in mindsdb?",
      deletes: "heron",
    },
    {
      command: "Delete Knowledge Base…",
      node: [...bases, "rental_guide"],
      question: "Delete the knowledge base rental_guide in mindsdb?",
      deletes: "rental_guide",
    },
  ];

  before("create what can be changed", async () => {
    await server.sql("CREATE JOB support.nightly AS (SELECT * FROM files.nothing) EVERY 1 day");
    await server.sql(
      "INSERT INTO mindsdb.rental_guide (SELECT * FROM files.t) USING batch_size = 500",
    );
    await server.sql(
      "CREATE MODEL mindsdb.rent_model FROM files (SELECT * FROM home_rentals) PREDICT rental_price USING engine = 'sample'",
    );
    await server.sql("RETRAIN mindsdb.rent_model");
    await server.sql("CREATE PROJECT trials");
    await server.sql("CREATE JOB trials.weekly AS (SELECT 1) EVERY 1 week");
    const rows = [{ id: "heron", content: "A heron." }];
    await server.addContent("rental_guide", rows);
    const { folder } = journey.workbench;
    fs.writeFileSync(path.join(folder, "homes.csv"), "id,rent\n1,900\n");
    const notes = ["One.", "Two."].map((content, id) => JSON.stringify({ id, content }));
    fs.writeFileSync(path.join(folder, "notes.jsonl"), notes.join("\n"));
  });

  /** Starts the command, and returns the name of the connection that it is for. */
  async function start({ command, node, isOnOld, fillIn }: Change, name: string): Promise<string> {
    const connection = isOnOld ? name + ofOld : name;
    for (const other of [readOnly, confirmed, production]) {
      for (const shown of [other, other + ofOld]) {
        if (shown !== connection) await journey.tree.collapse([shown]);
      }
    }
    await journey.tree.expand([connection, ...node.slice(0, -1)]);
    for (const one of [server, old]) one.forget();
    await journey.tree.contextMenu([connection, ...node], command);
    await fillIn?.();
    return connection;
  }

  async function expectNothingSent(): Promise<void> {
    await journey.workbench.command("View: Revert and Close Editor");
    await journey.workbench.editors.closeAll();
    assert.deepEqual(listChanges([server, old].flatMap(({ proxy }) => proxy.requests)), []);
  }

  for (const change of changes) {
    const { command, question, detail = /^/, deletes } = change;

    it(`${command} is refused on a read-only connection`, async () => {
      const { dialogs, page } = journey.workbench;
      const connection = await start(change, readOnly);
      await dialogs.toast(`The connection ${connection} is read-only.`);
      await expectCount(page.locator(".monaco-dialog-box"), 0);
      await journey.workbench.clearNotifications();
      await expectNothingSent();
    });

    it(`${command} asks on a connection with confirmations`, async () => {
      const { dialogs } = journey.workbench;
      const connection = await start(change, confirmed);
      const text = await dialogs.modal(question, "Cancel");
      assert.match(
        text,
        new RegExp(`Connection: ${connection} \\(http://127\\.0\\.0\\.1:\\d+\\)\\.`),
      );
      assert.match(text, detail);
      await expectNothingSent();
    });

    if (deletes === undefined) continue;
    it(`${command} asks for the name on a production connection`, async () => {
      const { quickInput } = journey.workbench;
      await start(change, production);
      await quickInput.expect(question);
      await eventually(async () =>
        assert.match(
          await quickInput.message(),
          new RegExp(`Production connection: ${production} `),
        ),
      );
      await quickInput.enter(question, deletes.slice(1));
      await eventually(async () =>
        assert.match(await quickInput.message(), new RegExp(`That does not match ${deletes}\\.`)),
      );
      await quickInput.cancel();
      await expectNothingSent();
    });
  }

  it("Delete Project… says what a project holds, and asks nothing, while it is not empty", async () => {
    const { dialogs, page } = journey.workbench;
    const node = ["support"];
    await start({ command: "Delete Project…", node, question: "" }, confirmed);
    const text = await dialogs.modal("support is not empty");
    assert.match(text, /Jobs: nightly/);
    assert.match(text, /Agents: /);
    await eventually(async () => {
      await page.keyboard.press("Escape");
      await expectCount(page.locator(".monaco-dialog-box"), 0);
    });
    await expectNothingSent();
  });
});
