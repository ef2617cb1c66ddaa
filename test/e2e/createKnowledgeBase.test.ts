// A user creates, changes, copies and deletes knowledge bases.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { KnowledgeBaseForm } from "./lib/knowledgeBaseForm.ts";
import { KnowledgeBasePage } from "./lib/knowledgeBasePage.ts";
import { canaries } from "./lib/servers.ts";

const { apiKey } = canaries;
const bases = ["Server", "mindsdb", "Knowledge Bases"];
const base = [...bases, "garden_notes"];
const changes = /^(POST|PUT|DELETE) .*\/knowledge_bases/;

describe("Creating and changing knowledge bases", () => {
  const server = useServer();
  const old = useServer({ dialect: "25" });
  const journey = useWorkbench(() => connectedTo({ Server: server, Old: old }));
  let form: KnowledgeBaseForm;

  const sent = (): unknown[] =>
    server.logged(changes).map(({ method, body }) => {
      const text = String(body);
      return [method, text === "" ? "" : (JSON.parse(text) as unknown)];
    });
  const names = () => journey.tree.children(bases);
  const read = async (name: string) => {
    const path = `/api/projects/mindsdb/knowledge_bases/${name}`;
    const response = await fetch(server.behind + path);
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };

  it("opens the form from the tree", async () => {
    await journey.tree.expand(bases);
    await journey.tree.find([...bases, "rental_guide"]);
    await journey.tree.inlineAction(bases, "Create Knowledge Base…");
    form = await KnowledgeBaseForm.with(journey.workbench);
    for (const [field, text] of [
      ["name", "garden_notes"],
      ["embeddingModelName", "text-embedding-3-small"],
      ["contentColumns", "text"],
      ["metadataColumns", "topic, year"],
      ["idColumn", "note_id"],
    ] as const) {
      await form.control(field).fill(text);
    }
  });

  it("shows why the server refuses it at the field", async () => {
    await form.control("embeddingApiKey").fill(`bad-${apiKey}`);
    await form.button("Create Knowledge Base").click();
    await form.says("embeddingApiKey", /^openai does not accept this key\. Enter another one\.$/);
    await eventually(async () => {
      assert.equal((await read("garden_notes"))[0], 404);
    });
    server.forget();
  });

  it("creates it, shows it in the tree, and opens its page", async () => {
    await form.control("embeddingApiKey").fill(apiKey);
    await journey.workbench.screenshot("knowledge-base-form", { readme: true });
    await journey.workbench.page.keyboard.press("Control+Enter");
    const page = await KnowledgeBasePage.with(journey.workbench, "garden_notes");
    await eventually(async () => assert.match(await page.stored(), /^0 /));
    assert.deepEqual(sent(), [
      [
        "POST",
        {
          knowledge_base: {
            name: "garden_notes",
            embedding_model: {
              provider: "openai",
              model_name: "text-embedding-3-small",
              api_key: apiKey,
            },
            content_columns: ["text"],
            metadata_columns: ["topic", "year"],
            id_column: "note_id",
          },
        },
      ],
    ]);
    await eventually(async () => {
      const selected = journey.tree.sideBar.locator(".monaco-list-row.selected .label-name");
      assert.equal(await selected.innerText(), "garden_notes");
    });
    await eventually(() => {
      assert.equal(form.frame.isDetached(), true);
    });
    server.forget();
  });

  it("copies the statement that creates it, with a placeholder for the key", async () => {
    await journey.tree.contextMenu(base, "Copy CREATE Statement");
    await eventually(async () => {
      const copied = await journey.workbench.clipboard();
      assert.match(copied, /^CREATE KNOWLEDGE_BASE `mindsdb`\.`garden_notes`\nUSING\n/);
      assert.match(copied, /"api_key": '<your API key>'/);
    });
  });

  it("changes what the server can change", async () => {
    await journey.tree.contextMenu(base, "Edit Knowledge Base…");
    form = await KnowledgeBaseForm.with(journey.workbench, "Edit garden_notes");
    await form.control("metadataColumns").fill("topic");
    await form.control("reranking").selectOption("own");
    await form.control("rerankingModelName").fill("gpt-4o");
    await form.control("rerankingApiKey").fill(apiKey);
    await journey.workbench.screenshot("knowledge-base-form-edit");
    await form.button("Save Changes").click();
    await eventually(() => assert.equal(sent().length, 2));
    const reranking = { provider: "openai", model_name: "gpt-4o" };
    const params = {
      reranking_model: { ...reranking, api_key: apiKey },
      metadata_columns: ["topic"],
    };
    assert.deepEqual(sent(), [
      ["PUT", { knowledge_base: { params: { reranking_model: false } } }],
      ["PUT", { knowledge_base: { params } }],
    ]);
    const page = await KnowledgeBasePage.with(journey.workbench, "garden_notes");
    await eventually(async () => {
      const fields = await page.fields();
      const shown = fields.find(({ name }) => name === "metadata_columns");
      assert.match(shown?.value ?? "", /^\[\s*"topic"\s*\]$/);
    });
    const [, row] = await read("garden_notes");
    assert.deepEqual(row["reranking_model"], { ...reranking, api_key: "******" });
    server.forget();
  });

  it("offers no change on an older server", async () => {
    const there = ["Old", "mindsdb", "Knowledge Bases"];
    await journey.tree.expand(there);
    const items = await journey.tree.contextMenuItems([...there, "rental_guide"]);
    assert.ok(items.includes("Delete Knowledge Base…"), items.join(", "));
    assert.ok(!items.includes("Edit Knowledge Base…"), items.join(", "));
    await journey.tree.collapse(["Old"]);
  });

  it("deletes it after a question that says what is lost", async () => {
    const { dialogs } = journey.workbench;
    const question = "Delete the knowledge base garden_notes in mindsdb?";
    await journey.tree.contextMenu(base, "Delete Knowledge Base…");
    const text = await dialogs.modal(question, "Cancel");
    assert.match(text, /It is deleted for everybody, and its content is lost\./);
    assert.deepEqual(sent(), []);
    await journey.tree.contextMenu(base, "Delete Knowledge Base…");
    await dialogs.modal(question, "Delete");
    await eventually(async () => assert.ok(!(await names()).includes("garden_notes")));
    await eventually(async () => {
      assert.equal((await read("garden_notes"))[0], 404);
    });
    assert.deepEqual(sent(), [["DELETE", ""]]);
  });

  itLeavesNoSecrets(journey);
});
