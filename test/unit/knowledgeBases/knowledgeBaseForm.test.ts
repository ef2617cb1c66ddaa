// The draft of a knowledge base: validation, the requests made of it, and the field that a server's error is about.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createKnowledgeBaseStatement,
  readCreateFields,
} from "../../../src/knowledgeBases/form/createStatement.ts";
import {
  buildCreateFields,
  buildUpdateFields,
  createDraft,
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import { findServerProblem } from "../../../src/knowledgeBases/form/serverErrors.ts";
import { validateDraft, type LoadedData } from "../../../src/knowledgeBases/form/validation.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";
import { hostileTexts } from "../../hostileTexts.ts";
import { itFinds, type ProblemCase } from "../problemCases.ts";

const own = { choice: "own", provider: "openai", modelName: "m", baseUrl: "" } as const;
const draft: KnowledgeBaseDraft = { ...emptyDraft("mindsdb"), name: "docs", embedding: own };
const noKeys = { embedding: "", reranking: "" };
const known: LoadedData = {
  projects: ["mindsdb", "other"],
  items: [
    { project: "mindsdb", name: "guide", type: "knowledge_base" },
    { project: "other", name: "notes", type: "knowledge_base" },
    { project: "other", name: "seller", type: "agent" },
  ],
  defaults: { embedding: "", reranking: "" },
  sources: ["vectors"],
};

describe("The validation of a knowledge base", () => {
  const cases: ProblemCase<KnowledgeBaseDraft>[] = [
    [{}],
    [{ name: "" }, "name: Enter a name for the knowledge base."],
    [{ name: "My Docs" }, "name: SQL can't find a knowledge base by this name. Try my_docs."],
    [{ name: "guide" }, "name: This project has a knowledge base named guide."],
    // An agent of another project.
    [{ name: "seller" }],
    // Its storage would be that of another project's.
    [{ name: "notes" }, "name: The project other has a knowledge base named notes"],
    [{ name: "notes", storage: "vectors.n" }],
    [{ embedding: { ...own, choice: "default" } }, "embedding: This server has no default model."],
    [
      { embedding: { ...own, provider: "" }, reranking: { ...own, modelName: " " } },
      "embeddingProvider: Enter the model's provider.",
      "rerankingModelName: Enter the model's name.",
    ],
    [
      { embedding: { ...own, provider: "anthropic" } },
      "embeddingProvider (warning): MindsDB is not known to support the provider anthropic.",
    ],
    [
      { embedding: { ...own, provider: "ollama" } },
      "embeddingBaseUrl: ollama needs the address of its server.",
    ],
    [
      { embedding: { ...own, baseUrl: "http://host:1" } },
      "embeddingBaseUrl (warning): Most servers of this kind need the path /v1.",
    ],
    [{ embedding: { ...own, baseUrl: "somewhere" } }, "embeddingBaseUrl: Enter a URL like"],
    [{ storage: "vectors" }, "storage: Enter a data source and a table, like vectors.docs."],
    [{ storage: "nowhere.t" }, "storage: nowhere is not a data source of this server."],
    // Content may be metadata, but not the id.
    [
      { contentColumns: "a", metadataColumns: "a, b", idColumn: "b" },
      "idColumn: b is already used in another field.",
    ],
    [{ contentColumns: "a", idColumn: "a" }, "idColumn: a is already used in another field."],
    [{ contentColumns: "a, a" }, "contentColumns: a is already used in another field."],
    [
      { metadataColumns: "city, Relevance" },
      "metadataColumns: Relevance is a reserved column of search results",
    ],
  ];
  itFinds(cases, (changed) => validateDraft({ ...draft, ...changed }, known));

  it("accepts name, model and storage of an existing one as they are", () => {
    const before = { ...draft, name: "Old Name", embedding: { ...own, provider: "bedrock" } };
    assert.deepEqual(validateDraft(before, known, before), []);
  });
});

describe("The requests of a knowledge base's form", () => {
  it("create what was typed, and leave the rest to the server", () => {
    assert.deepEqual(
      buildCreateFields({ ...draft, embedding: { ...own, choice: "default" } }, noKeys),
      {},
    );
    const whole: KnowledgeBaseDraft = {
      ...draft,
      embedding: { ...own, modelName: " m ", baseUrl: "http://h/v1" },
      reranking: { ...own, choice: "none" },
      storage: "vectors.docs",
      contentColumns: "a, ,b",
      metadataColumns: " c",
      idColumn: " i ",
    };
    assert.deepEqual(buildCreateFields(whole, { ...noKeys, embedding: "k" }), {
      embedding_model: {
        provider: "openai",
        model_name: "m",
        api_key: "k",
        base_url: "http://h/v1",
      },
      reranking_model: false,
      storage: { database: "vectors", table: "docs" },
      content_columns: ["a", "b"],
      metadata_columns: ["c"],
      id_column: "i",
    });
  });

  it("change only what differs", () => {
    const before: KnowledgeBaseDraft = {
      ...draft,
      embedding: { ...own, baseUrl: "http://h/v1" },
      reranking: own,
      contentColumns: "a",
      metadataColumns: "b, c",
      idColumn: "i",
    };
    assert.deepEqual(buildUpdateFields(before, { ...before, metadataColumns: "b,c" }, noKeys), {});
    assert.deepEqual(
      buildUpdateFields(before, { ...before, metadataColumns: "", idColumn: "" }, noKeys),
      { metadata_columns: null, id_column: null },
    );
    assert.deepEqual(
      buildUpdateFields(before, { ...before, embedding: own }, { embedding: "k", reranking: "r" }),
      {
        embedding_model: { api_key: "k", base_url: null },
        reranking_model: { provider: "openai", model_name: "m", api_key: "r" },
      },
    );
    const none = { ...before, reranking: { ...own, choice: "none" as const } };
    assert.deepEqual(buildUpdateFields(before, none, noKeys), { reranking_model: false });
    assert.deepEqual(buildUpdateFields(none, { ...none, reranking: own }, noKeys), {
      reranking_model: { provider: "openai", model_name: "m" },
    });
  });

  it("are made of what a server answers", () => {
    const row = {
      name: "docs",
      vector_database: "store_docs",
      vector_database_table: "docs",
      embedding_model: { provider: "openai", model_name: "m", api_key: "******" },
      reranking_model: {},
      content_columns: ["a", "b"],
      metadata_columns: null,
      id_column: null,
      params: { default_vector_storage: "store_docs" },
    };
    assert.deepEqual(createDraft(row, "mindsdb"), {
      ...draft,
      reranking: { ...emptyDraft("").reranking, choice: "none" },
      contentColumns: "a, b",
    });
    assert.equal(createDraft({ ...row, params: {} }, "mindsdb").storage, "store_docs.docs");
  });
});

describe("The CREATE KNOWLEDGE_BASE statement", () => {
  it("has placeholders also for the secrets in addresses and other texts", () => {
    const model = {
      provider: "openai",
      base_url: "https://user:canary@127.0.0.1/v1?api_key=canary",
      note: "password='canary', and more",
    };
    const statement = createKnowledgeBaseStatement("p", "a", { embedding_model: model }) ?? "";
    assert.ok(statement.includes("https://<your API key>@127.0.0.1/v1"), statement);
    assert.ok(!statement.includes("canary"), statement);
  });

  it("has a placeholder for each key, and the storage unless the server chose it", () => {
    const row = {
      vector_database: "vectors",
      vector_database_table: "docs",
      embedding_model: { provider: "openai", model_name: "it's", api_key: "sk-secret" },
      reranking_model: false,
      content_columns: [],
      metadata_columns: ["a"],
      id_column: "i",
      params: {},
    };
    assert.equal(
      createKnowledgeBaseStatement("my project", "docs", readCreateFields(row)),
      [
        "CREATE KNOWLEDGE_BASE `my project`.`docs`",
        "USING",
        `  embedding_model = {"provider": 'openai', "model_name": 'it''s', "api_key": '<your API key>'},`,
        "  reranking_model = false,",
        "  metadata_columns = ['a'],",
        "  id_column = 'i',",
        "  storage = `vectors`.`docs`;",
        "",
      ].join("\n"),
    );
    assert.equal(createKnowledgeBaseStatement("p", "a", {}), "CREATE KNOWLEDGE_BASE `p`.`a`;\n");
  });

  it("is a single statement or undefined, whatever the input", () => {
    const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(text, text, text, text, (name, model, column, table) => {
        const statement = createKnowledgeBaseStatement("p", name, {
          embedding_model: { provider: "openai", model_name: model, api_key: "sk-secret" },
          metadata_columns: [column],
          storage: { database: "v", table },
        });
        if (statement === undefined) return;
        const { statements } = tokenizeSql(statement);
        assert.equal(statements.length, 1);
        assert.ok(
          !statement.includes("sk-secret") ||
            [name, model, column, table].join("").includes("sk-secret"),
        );
      }),
    );
  });
});

describe("A server's error about a knowledge base", () => {
  const ownBoth = { ...draft, reranking: own, storage: "vectors.docs" };
  const problem = (detail: string, title = "RuntimeError"): string => {
    const body = { detail: JSON.stringify({ title, detail }) };
    const found = findServerProblem(new AppError("serverFault", "No.", body), ownBoth, true);
    return `${found?.field}: ${found?.text}`;
  };
  const embedding = "Problem with embedding model config: ";
  const reranker = "Problem with reranker config: Error during reranking: ";
  const refused = (status: number, message: string) =>
    `Error code: ${status} - {'error': {'message': '${message}'}}`;
  const cases: [detail: string, problem: string][] = [
    [
      embedding + refused(401, "Incorrect API key"),
      "embeddingApiKey: openai does not accept this key.",
    ],
    [
      reranker + refused(401, "Incorrect API key"),
      "rerankingApiKey: openai does not accept this key.",
    ],
    [
      embedding + refused(404, "The model `m` does not exist"),
      "embeddingModelName: openai has no model m.",
    ],
    [
      embedding + refused(429, "Too many"),
      "embedding: The server tested the model, and it failed: Too many",
    ],
    [
      `${embedding}Maximum number of retries (3) exceeded.`,
      "embeddingBaseUrl: The MindsDB server can't reach openai.",
    ],
    [`${reranker}Connection error.`, "rerankingBaseUrl: The MindsDB server can't reach openai."],
    [
      `${embedding}<!doctype html>\n<title>405</title>`,
      "embeddingBaseUrl: There is no model of this kind at openai.",
    ],
    [
      `${embedding}Missing credentials. Please pass an \`api_key\``,
      "embeddingApiKey: The server has no key of its own for openai.",
    ],
    [
      "The api_key client option must be set",
      "embeddingApiKey: The server has no key of its own for openai.",
    ],
    [
      "Problem with reranker config: OpenAI API key not found in environment variable OPENAI_API_KEY",
      "rerankingApiKey: The server has no key of its own for openai.",
    ],
    [
      'Problem with reranker config: Provider "x" is not supported',
      'rerankingProvider: The server tested the model, and it failed: Provider "x" is not supported',
    ],
    [
      "Wrong embedding provider: anthropic. Available providers: openai, google",
      "embeddingProvider: This server does not support embeddings from anthropic. It supports: openai, google.",
    ],
    ["No embedding model parameters provided", "embedding: This server has no default model."],
    ["'NoneType' object has no attribute 'lower'", "embedding: This server has no default model."],
    [
      "Unable to find database named nosuch, please make sure nosuch is defined",
      "storage: nosuch is not a data source of this server.",
    ],
    [
      "'FileHandler' object has no attribute 'create_table'",
      "storage: vectors.docs can't store vectors.",
    ],
    [
      "Dimension of embedding model doesn't match to dimension of vector table: 3 != 256",
      "storage: The table has vectors of 256 dimensions, but the model produces 3.",
    ],
    ["Something else", "form: The server refused: Something else"],
  ];
  for (const [detail, expected] of cases) {
    it(`is found: ${expected}`, () => assert.ok(problem(detail).startsWith(expected)));
  }

  it("is about the default model where that was used", () => {
    const body = { detail: JSON.stringify({ detail: embedding + refused(401, "No") }) };
    const standard = { ...draft, embedding: { ...own, choice: "default" as const } };
    const found = findServerProblem(new AppError("serverFault", "No.", body), standard, true);
    assert.equal(found?.field, "embedding");
    assert.match(found.text, /^The server tested the model, and it failed: /);
  });

  it("is about the name or the project where those are the cause, and about nothing if nobody is signed in", () => {
    const about = (kind: "conflict" | "notFound" | "signInNeeded", title: string) =>
      findServerProblem(
        new AppError(kind, "No.", { detail: JSON.stringify({ title }) }),
        draft,
        true,
      )?.field;
    assert.equal(about("conflict", "Knowledge Base already exists"), "name");
    assert.equal(about("notFound", "Project not found"), "project");
    assert.equal(about("signInNeeded", ""), undefined);
  });
});
