// Knowledge bases of a real server: created, changed, copied and deleted by the form's requests, and its mistakes.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createKnowledgeBaseStatement,
  readCreateFields,
} from "../../src/knowledgeBases/form/createStatement.ts";
import {
  buildCreateFields,
  buildUpdateFields,
  createDraft,
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import { findServerProblem } from "../../src/knowledgeBases/form/serverErrors.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { checkIsVisible } from "../../src/mindsdb/hiddenKnowledgeBase.ts";
import * as changes from "../../src/mindsdb/knowledgeBaseChanges.ts";
import { getKnowledgeBase } from "../../src/mindsdb/knowledgeBases.ts";
import { searchKnowledgeBase } from "../../src/mindsdb/searchKnowledgeBase.ts";
import { keyPlaceholder } from "../../src/shared/usingClause.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";

const project = "mindsdb";
const lists = `/api/projects/${project}/knowledge_bases`;
const key = "sk-made-up-4711-0815";
const keys = { embedding: key, reranking: "" };

/** A model that accepts no key but one, and has no model then. */
async function startStrictModel(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    response.shouldKeepAlive = false;
    const given = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const isGood = given === "good";
    const message = isGood ? "The model `m` does not exist" : `Incorrect API key: ${given}.`;
    request.resume().once("end", () => {
      response.writeHead(isGood ? 404 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message } }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

for (const version of versions) {
  describe(`MindsDB ${version}, knowledge bases made by the form`, () => {
    let connection: Connection;
    let client: Client;
    let admin: Admin;
    let strict: Awaited<ReturnType<typeof startStrictModel>>;
    let draft: KnowledgeBaseDraft;
    const place = { project, name: "made_docs" };
    const read = async (name = place.name) =>
      (await admin.get(`${lists}/${name}`)) as Record<string, unknown>;

    before(async () => {
      const { server, llm } = fixture(version);
      connection = await connect(server.url);
      client = connection.client;
      admin = await Admin.signIn(server);
      strict = await startStrictModel();
      const base = { choice: "own", provider: "openai", baseUrl: llm.url } as const;
      draft = {
        ...emptyDraft(project),
        name: place.name,
        embedding: { ...base, modelName: "scripted-embeddings" },
        reranking: { ...base, choice: "none", modelName: "" },
        contentColumns: "text",
        metadataColumns: "topic, year",
        idColumn: "note_id",
      };
    });
    after(async () => {
      await connection.close();
      strict.server.close();
    });

    const modelOfAgent = () => {
      const { baseUrl: base_url, provider } = draft.embedding;
      return { provider, model_name: "scripted", api_key: key, base_url };
    };

    /** Expects that the server refuses a draft, and what the form says at which field. */
    const refuses = async (
      wanted: KnowledgeBaseDraft,
      problem: RegExp,
      typed = keys,
    ): Promise<void> => {
      client.secrets.add(typed.embedding);
      const fields = buildCreateFields(wanted, typed);
      const error: unknown = await changes
        .createKnowledgeBase(client, { project, name: wanted.name }, fields)
        .then(
          () => assert.fail("It was created"),
          (reason: unknown) => reason,
        );
      assert.ok(error instanceof AppError);
      assert.ok(!`${error.message} ${error.detail}`.includes(key), "the key is in the error");
      const found = findServerProblem(error, wanted, true);
      assert.match(`${found?.field}: ${found?.text}`, problem);
    };

    it("creates it as plain HTTP shows it, and it can be filled", async () => {
      await changes.createKnowledgeBase(client, place, buildCreateFields(draft, keys));
      const row = await read();
      assert.deepEqual(row["content_columns"], ["text"]);
      assert.deepEqual(row["metadata_columns"], ["topic", "year"]);
      assert.equal(row["id_column"], "note_id");
      assert.deepEqual(row["embedding_model"], {
        provider: "openai",
        model_name: "scripted-embeddings",
        api_key: "******",
        base_url: draft.embedding.baseUrl,
      });
      assert.deepEqual(createDraft(row, project).contentColumns, "text");
      const rows = [{ note_id: "1", text: "A heron.", topic: "birds", year: 2026 }];
      await admin.put(`${lists}/${place.name}`, { knowledge_base: { rows } });
      const found = await admin.sql(`SELECT id, chunk_content, topic FROM mindsdb.${place.name}`);
      assert.deepEqual(found, [["1", "A heron.", "birds"]]);
    });

    it("copies a statement that creates the same", async () => {
      const row = await getKnowledgeBase(client, project, place.name);
      const statement = createKnowledgeBaseStatement(project, "made_copy", readCreateFields(row));
      assert.ok(statement !== undefined);
      assert.ok(statement.includes(keyPlaceholder));
      await admin.sql(statement.replaceAll(keyPlaceholder, key));
      const names = ["embedding_model", "content_columns", "metadata_columns", "id_column"];
      const pick = (from: Record<string, unknown>) => names.map((name) => from[name]);
      assert.deepEqual(pick(await read("made_copy")), pick(await read()));
      await changes.deleteKnowledgeBase(client, { project, name: "made_copy" });
    });

    it("says which field is wrong", async () => {
      const { embedding } = draft;
      const other = { ...draft, name: "made_other" };
      await refuses(draft, /^name: .* is already used/);
      const refused = { ...embedding, baseUrl: strict.url };
      await refuses(
        { ...other, embedding: refused },
        /^embeddingApiKey: .* does not accept this key/,
      );
      await refuses({ ...other, embedding: refused }, /^embeddingModelName: .* has no model/, {
        ...keys,
        embedding: "good",
      });
      const keyless = { ...embedding, baseUrl: "" };
      await refuses({ ...other, embedding: keyless }, /^embeddingApiKey: The server has no key/, {
        ...keys,
        embedding: "",
      });
      const standard = { ...embedding, choice: "default" as const };
      await refuses(
        { ...other, embedding: standard },
        /^embedding: This server has no default model/,
      );
      const stranger = { ...embedding, provider: "anthropic" };
      await refuses(
        { ...other, embedding: stranger },
        /^embeddingProvider: This server does not support embeddings from anthropic/,
      );
      const server = { ...embedding, baseUrl: fixture(version).server.url };
      await refuses(
        { ...other, embedding: server },
        /^embeddingBaseUrl: There is no model of this kind/,
      );
      await refuses({ ...other, storage: "nosuch.docs" }, /^storage: nosuch is not a data source/);
      await refuses(
        { ...other, storage: "files.docs" },
        /^storage: files.docs can't store vectors/,
      );
    });

    it("takes a storage of its own", async () => {
      const { vector_database: source } = await read();
      const own = { ...draft, name: "made_own", storage: `${String(source)}.own_table` };
      await changes.createKnowledgeBase(
        client,
        { project, name: own.name },
        buildCreateFields(own, keys),
      );
      assert.equal(createDraft(await read(own.name), project).storage, own.storage);
      await changes.deleteKnowledgeBase(client, { project, name: own.name });
    });

    if (version.startsWith("26")) {
      it("changes columns, key and reranking, and leaves the rest", async () => {
        const before = createDraft(await getKnowledgeBase(client, project, place.name), project);
        const { baseUrl } = before.embedding;
        const reranking = { provider: "ollama", modelName: "scripted", baseUrl };
        const wanted: KnowledgeBaseDraft = {
          ...before,
          metadataColumns: "topic",
          idColumn: "",
          reranking: { ...reranking, choice: "own" },
        };
        const fields = buildUpdateFields(before, wanted, keys);
        await changes.updateKnowledgeBase(client, place, fields, { hadReranking: false });
        const row = await read();
        assert.deepEqual(row["content_columns"], ["text"]);
        assert.deepEqual(row["metadata_columns"], ["topic"]);
        assert.equal(row["id_column"], null);
        assert.deepEqual(row["reranking_model"], {
          provider: "ollama",
          model_name: "scripted",
          base_url: baseUrl,
        });
        const now = createDraft(await getKnowledgeBase(client, project, place.name), project);
        const without = { ...now, reranking: { ...now.reranking, choice: "none" as const } };
        await changes.updateKnowledgeBase(client, place, buildUpdateFields(now, without, keys));
        assert.equal(createDraft(await read(), project).reranking.choice, "none");
        assert.equal((await admin.sql(`SELECT id FROM mindsdb.${place.name}`)).length, 1);
      });
    }

    it("is hidden by an agent or a view of its name, and shows nothing of theirs", async () => {
      const search = { question: "A heron.", limit: 10, filters: [] };
      assert.equal((await searchKnowledgeBase(client, place, search)).chunks.length, 1);
      await checkIsVisible(client, place);
      const hide: [kind: string, path: string, body: object][] = [
        ["view", "views", { view: { name: place.name, query: "SELECT 7 AS a" } }],
        ["agent", "agents", { agent: { name: place.name, model: modelOfAgent() } }],
      ];
      for (const [kind, path, body] of hide) {
        const items = `/api/projects/${project}/${path}`;
        await admin.post(items, body);
        const message = new RegExp(`^An? ${kind} in mindsdb is also named made_docs\\.`);
        await assert.rejects(checkIsVisible(client, place), { message });
        const chunks = await searchKnowledgeBase(client, place, search).then(
          (found) => found.chunks,
          () => [],
        );
        assert.deepEqual(chunks, []);
        await admin.delete(`${items}/${place.name}`);
      }
      await checkIsVisible(client, place);
    });

    it("is hidden by a model of its name, too", async () => {
      const same = { project, name: SEEDED.model };
      const fields = buildCreateFields({ ...draft, contentColumns: "" }, keys);
      await changes.createKnowledgeBase(client, same, fields);
      try {
        const rows = [{ note_id: "1", content: "A heron." }];
        await admin.put(`${lists}/${same.name}`, { knowledge_base: { rows } });
        const message = new RegExp(`^A model in mindsdb is also named ${same.name}\\.`);
        await assert.rejects(checkIsVisible(client, same), { message });
        const search = { question: "A heron.", limit: 10, filters: [] };
        await assert.rejects(searchKnowledgeBase(client, same, search), AppError);
      } finally {
        await admin.delete(`${lists}/${same.name}`);
      }
    });

    it("deletes it, with its store", async () => {
      const { vector_database: source } = await read();
      await changes.deleteKnowledgeBase(client, place);
      await assert.rejects(read(), /404/);
      const databases = (await admin.get("/api/databases/")) as { name: string }[];
      assert.ok(!databases.some(({ name }) => name === source));
    });

    it("empties another project's knowledge base of the same name: why the form refuses that", async () => {
      await admin.sql("CREATE PROJECT made_project");
      const same = { project, name: "made_same" };
      const fields = buildCreateFields({ ...draft, contentColumns: "" }, keys);
      await changes.createKnowledgeBase(client, same, fields);
      const rows = [{ note_id: "1", content: "A heron." }];
      await admin.put(`${lists}/${same.name}`, { knowledge_base: { rows } });
      await changes.createKnowledgeBase(client, { ...same, project: "made_project" }, fields);
      const [[count]] = (await admin.sql(`SELECT count(*) FROM mindsdb.made_same`)) as [[number]];
      assert.equal(count, 0);
      for (const one of [project, "made_project"]) {
        await admin.delete(`/api/projects/${one}/knowledge_bases/made_same`).catch(() => undefined);
      }
      await admin.sql("DROP PROJECT made_project");
    });
  });
}
