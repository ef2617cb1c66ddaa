// No operation of the client library changes a server through a read-only client.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import ts from "typescript";
import * as agents from "../../../src/mindsdb/agents.ts";
import * as dataSourceChanges from "../../../src/mindsdb/dataSourceChanges.ts";
import * as dataSources from "../../../src/mindsdb/dataSources.ts";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { deleteItem } from "../../../src/mindsdb/deleteItem.ts";
import { apiPath, type Client } from "../../../src/mindsdb/http/client.ts";
import * as handlers from "../../../src/mindsdb/handlers.ts";
import * as jobs from "../../../src/mindsdb/jobs.ts";
import * as knowledgeBaseContent from "../../../src/mindsdb/knowledgeBaseContent.ts";
import * as knowledgeBaseDocuments from "../../../src/mindsdb/knowledgeBaseDocuments.ts";
import * as files from "../../../src/mindsdb/files.ts";
import * as knowledgeBaseChanges from "../../../src/mindsdb/knowledgeBaseChanges.ts";
import * as knowledgeBases from "../../../src/mindsdb/knowledgeBases.ts";
import { SecretsLearner } from "../../../src/mindsdb/redact/learnSecrets.ts";
import { readMetadataValues } from "../../../src/mindsdb/metadataValues.ts";
import * as mlEngines from "../../../src/mindsdb/mlEngines.ts";
import * as models from "../../../src/mindsdb/models.ts";
import { askPlain } from "../../../src/mindsdb/plainAnswer.ts";
import { predict, whyUntrained } from "../../../src/mindsdb/predict.ts";
import * as projectChanges from "../../../src/mindsdb/projectChanges.ts";
import { checkIsVisible } from "../../../src/mindsdb/hiddenKnowledgeBase.ts";
import { listProjectItems } from "../../../src/mindsdb/projectItems.ts";
import { listAskedProjects, listProjects } from "../../../src/mindsdb/projects.ts";
import {
  countRows,
  listSourceColumns,
  readRowPages,
  readRowTextPages,
} from "../../../src/mindsdb/rowPages.ts";
import * as runningQueries from "../../../src/mindsdb/runningQueries.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import * as serverSettings from "../../../src/mindsdb/serverSettings.ts";
import { asksAgent, mayCost } from "../../../src/mindsdb/sql/asksAgent.ts";
import { mayEndEarly } from "../../../src/mindsdb/sql/earlyEnd.ts";
import { findListingUse, throwIfListing } from "../../../src/mindsdb/sql/findListingUse.ts";
import { quoteTable, runSql, runSqlForText, streamSql } from "../../../src/mindsdb/sql/runSql.ts";
import { searchTables } from "../../../src/mindsdb/sql/tableSearch.ts";
import { listViews, readViews } from "../../../src/mindsdb/sql/views.ts";
import { kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import * as tables from "../../../src/mindsdb/tables.ts";
import * as triggers from "../../../src/mindsdb/triggers.ts";
import * as viewChanges from "../../../src/mindsdb/viewChanges.ts";
import * as training from "../../../src/mindsdb/training.ts";
import { readTrainingRow } from "../../../src/mindsdb/trainingRow.ts";
import { brokenStatement, changingStatements, sqlStatement } from "../../sqlStatements.ts";
import { sendJson, type SeenRequest, useServer } from "./httpServer.ts";

const library = path.resolve(import.meta.dirname, "../../../src/mindsdb");

/** Two hostile or ordinary texts to call an operation with. */
interface Names {
  project: string;
  name: string;
}

/** Calls an operation as its callers do. */
type Call = (client: Client, names: Names) => Promise<unknown>;

const turns = [{ question: "Why?", answer: "" }];
const drain = async (events: AsyncIterable<unknown>): Promise<void> => {
  for await (const event of events) assert.ok(event);
};

/** Every operation that only reads. An operation that is missing here or in `changes` fails the first test. */
const reads: Record<string, Call> = {
  mayEndEarly: (client, { name }) => mayEndEarly(client, `SELECT * FROM ${quoteTable(name)}.a`, 0),
  mayCost: (client, { project, name }) =>
    mayCost(client, `SELECT * FROM ${quoteTable(project)}.${quoteTable(name)}`),
  findListingUse: (client, { project, name }) =>
    findListingUse(client, `SELECT * FROM ${quoteTable(project)}.${quoteTable(name)}`),
  throwIfListing: (client, { project, name }) =>
    throwIfListing(client, `SELECT * FROM ${quoteTable(project)}.${quoteTable(name)}`, {}),
  learn: (client) => new SecretsLearner().learn(client),
  searchTables: (client, { project, name }) =>
    searchTables(client, {}).mayAsk(`SELECT * FROM ${quoteTable(project)}.${quoteTable(name)}`),
  asksAgent: (client, { project, name }) =>
    asksAgent(client, `SELECT * FROM ${quoteTable(project)}.${quoteTable(name)}`),
  askAgent: (client, { project, name }) => drain(agents.askAgent(client, project, name, turns)),
  askPlain: (client, { project, name }) =>
    drain(askPlain(client, { project, agent: name }, turns, new AppError("notFound", "No."))),
  countContent: (client, { project, name }) => knowledgeBases.countContent(client, project, name),
  describeModel: (client, names) => describeModel(client, names, "features"),
  findKnowledgeBase: (client, { project, name }) =>
    knowledgeBases.findKnowledgeBase(client, project, name),
  findVersion: (client, names) => models.findVersion(client, { ...names, version: 2 }),
  getAgent: (client, { project, name }) => agents.getAgent(client, project, name),
  getAgentFields: (client, { project, name }) => agents.getAgentFields(client, project, name),
  getDefaultModels: (client) => dataSources.getDefaultModels(client),
  getKnowledgeBase: (client, { project, name }) =>
    knowledgeBases.getKnowledgeBase(client, project, name),
  listHandlers: (client) => handlers.listHandlers(client),
  listJobs: (client, { project }) => jobs.listJobs(client, project),
  listTriggers: (client, { project }) => triggers.listTriggers(client, project),
  readJobRuns: (client, names) => jobs.readJobRuns(client, names, 5),
  readClock: (client) => jobs.readClock(client, {}),
  listRunningQueries: (client) => runningQueries.listRunningQueries(client),
  listAgents: (client, { project }) => agents.listAgents(client, project),
  readViews: (client, { project }) => readViews(client, project),
  getDataSource: (client, { name }) => dataSourceChanges.getDataSource(client, name),
  getServerSettings: (client) => serverSettings.getServerSettings(client),
  getView: (client, names) => viewChanges.getView(client, names),
  listViews: (client, { project }) => listViews(client, project),
  hasNumericIds: (client, names) => knowledgeBaseContent.hasNumericIds(client, names),
  listDocuments: (client, names) => knowledgeBaseDocuments.listDocuments(client, names),
  readDocuments: (client, names) =>
    knowledgeBaseDocuments.readDocuments(client, names, ["1", names.name], 10),
  listDocumentIds: (client, names) => knowledgeBaseContent.listDocumentIds(client, names),
  listDatabases: (client) => dataSources.listDatabases(client),
  listKnowledgeBases: (client, { project }) => knowledgeBases.listKnowledgeBases(client, project),
  listModels: (client, { project }) => models.listModels(client, project),
  listAskedProjects: (client) => listAskedProjects(client),
  listProjects: (client) => listProjects(client),
  listTableColumns: (client, { project, name }) => tables.listTableColumns(client, [project, name]),
  listEngines: (client) => training.listEngines(client),
  listMlEngines: (client) => mlEngines.listMlEngines(client),
  listStoredEngines: (client) => mlEngines.listStoredEngines(client),
  getMlEngine: (client, { name }) => mlEngines.getMlEngine(client, name),
  listModelsOfHandler: (client, { name }) => mlEngines.listModelsOfHandler(client, name),
  checkIsProject: (client, { project }) => projectChanges.checkIsProject(client, project),
  listProjectEntries: (client, { project }) => projectChanges.listProjectEntries(client, project),
  listProjectItems: (client, { project }) => listProjectItems(client, project),
  checkIsVisible: (client, names) => checkIsVisible(client, names),
  readTrainingProgress: (client, names) => training.readTrainingProgress(client, sayable(names)),
  readTrainingOptions: (client, names) => training.readTrainingOptions(client, names),
  listTables: (client, { name }) => dataSources.listTables(client, name),
  predict: (client, names) => predict(client, names, Buffer.from('{"data":[]}')),
  readFirstRows: (client, { project, name }) => tables.readFirstRows(client, [project, name], 5),
  readMetadataValues: (client, names) => readMetadataValues(client, names, "city"),
  countRows: (client, { project, name }) => countRows(client, { table: [project, name] }),
  listSourceColumns: (client, { project, name }) =>
    listSourceColumns(client, { table: [project, name] }),
  readRowPages: (client, { project, name }) =>
    drain(readRowPages(client, { table: [project, name] }, { orderBy: name })),
  readRowTextPages: (client, { project, name }) =>
    drain(readRowTextPages(client, { table: [project, name] }, { orderBy: name })),
  readTrainingRow: (client, { project, name }) =>
    readTrainingRow(client, { project, query: `SELECT * FROM files.${name}`, columns: ["a"] }),
  runSql: (client) => runSql(client, "SELECT 1"),
  runSqlForText: (client) => runSqlForText(client, "SELECT 1"),
  streamSql: (client) =>
    streamSql(client, "SELECT 1", async (chunks) => {
      await drain(chunks);
      return { type: "ok" };
    }),
  searchKnowledgeBase: (client, names) =>
    searchKnowledgeBase(client, names, {
      question: names.name,
      limit: 5,
      relevance: 0.5,
      filters: [{ column: "city", operator: "=", value: names.project }],
    }),
  whyUntrained: (client, names) => whyUntrained(client, names),
};

const trained = { select: "SELECT 1 AS y", target: "y", engine: "linear" };

/** Names without what SQL cannot say, which is refused for another reason. */
function sayable({ project, name }: Names): Names {
  return { project: project.replaceAll("`", ""), name: `m${name.replaceAll("`", "")}` };
}

/** Every operation that changes a server. */
const changes: Record<string, Call> = {
  sendTraining: async (client, names) => {
    const model = { ...sayable(names), ...trained };
    const statements = [
      training.createModelStatement(model),
      training.retrainStatement(model),
      training.finetuneStatement(model),
    ];
    const [refused, ...others] = await Promise.allSettled(
      statements.map((statement) => training.sendTraining(client, statement)),
    );
    for (const other of others) assert.equal(other.status, refused?.status);
    if (refused?.status === "rejected") throw refused.reason;
  },
  activateVersion: (client, names) =>
    training.activateVersion(client, { ...sayable(names), version: 2 }),
  deleteVersion: (client, names) =>
    training.deleteVersion(client, { ...sayable(names), version: 2 }),
  deleteModel: (client, names) => training.deleteModel(client, sayable(names)),
  createProject: (client, names) => projectChanges.createProject(client, sayable(names).name),
  deleteProject: (client, { project }) => projectChanges.deleteProject(client, project),
  testDataSource: (client, { name }) =>
    dataSourceChanges.testDataSource(client, { engine: name, parameters: {} }),
  createDataSource: (client, { name }) =>
    dataSourceChanges.createDataSource(client, { name, engine: name, parameters: {} }),
  reconnectDataSource: (client, { name }) => dataSourceChanges.reconnectDataSource(client, name),
  disconnectDataSource: (client, { name }) => dataSourceChanges.disconnectDataSource(client, name),
  installDriver: (client, { name }) => handlers.installDriver(client, name),
  createJob: (client, { project, name }) =>
    jobs.createJob(client, project, { name, query: "SELECT 1" }),
  createTrigger: (client, names) => {
    const { project, name } = sayable(names);
    const trigger = { name, source: name, table: name, columns: [], query: "SELECT 1" };
    return triggers.createTrigger(client, project, trigger);
  },
  createMlEngine: (client, names) => {
    const { name } = sayable(names);
    return mlEngines.createMlEngine(client, { name, handler: "openai", parameters: {} });
  },
  deleteMlEngine: (client, { name }) => mlEngines.deleteMlEngine(client, name),
  deleteTrigger: (client, names) => triggers.deleteTrigger(client, sayable(names)),
  deleteJob: (client, names) => jobs.deleteJob(client, sayable(names)),
  cancelQuery: (client) => runningQueries.cancelQuery(client, 6),
  createAgent: (client, { project, name }) => agents.createAgent(client, project, { name }),
  createKnowledgeBase: (client, names) =>
    knowledgeBaseChanges.createKnowledgeBase(client, names, { id_column: names.name }),
  updateKnowledgeBase: (client, names) =>
    knowledgeBaseChanges.updateKnowledgeBase(client, names, { id_column: names.name }),
  deleteKnowledgeBase: (client, names) => knowledgeBaseChanges.deleteKnowledgeBase(client, names),
  dropFile: (client, { name }) => files.dropFile(client, name.replaceAll("`", "")),
  uploadFile: (client, { name }) =>
    files.uploadFile(client, name, { fileName: "a.csv", length: 0, read: () => Readable.from([]) }),
  deleteAgent: (client, { project, name }) => agents.deleteAgent(client, project, name),
  createView: (client, names) => viewChanges.createView(client, { ...names, query: "SELECT 1" }),
  updateDataSource: (client, { name }) =>
    dataSourceChanges.updateDataSource(client, { name, parameters: {} }),
  updateServerSettings: (client) => serverSettings.updateServerSettings(client, { language: {} }),
  testSearchModels: (client, { project }) => serverSettings.testSearchModels(client, project, {}),
  testLanguageModel: (client, { project }) =>
    serverSettings.testLanguageModel(client, project, undefined),
  updateView: (client, names) => viewChanges.updateView(client, { ...names, query: "SELECT 1" }),
  deleteView: (client, names) => viewChanges.deleteView(client, names),
  deleteItem: (client, { project, name }) =>
    deleteItem(client, apiPath`/api/projects/${project}/agents/${name}`, "AGENT", project, name),
  deleteDocument: (client, names) =>
    knowledgeBaseDocuments.deleteDocument(client, names, names.name),
  deleteDocuments: (client, names) =>
    knowledgeBaseContent.deleteDocuments(client, names, ["1", names.name]),
  insertRows: (client, names) => knowledgeBaseContent.insertRows(client, names, [{ id: "1" }]),
  updateAgent: (client, { project, name }) => agents.updateAgent(client, project, name, { name }),
};

/** Names of the library's exported functions with a parameter of type Client. */
function exportedOperations(): string[] {
  return fs.readdirSync(library, { recursive: true, encoding: "utf8" }).flatMap((file) => {
    if (!file.endsWith(".ts")) return [];
    const text = fs.readFileSync(path.join(library, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return source.statements.filter(isExported).flatMap((statement) => operationsIn(statement));
  });
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

/** The functions of a statement that take a client, be they declared, assigned or methods. */
function operationsIn(node: ts.Node): string[] {
  const inside: string[] = [];
  node.forEachChild((child) => void inside.push(...operationsIn(child)));
  // A type is no operation.
  if (!ts.isFunctionLike(node) || ts.isFunctionTypeNode(node)) return inside;
  const takesClient = node.parameters.some(({ type }) => type && namesClient(type));
  if (!takesClient) return inside;
  const { parent } = node;
  const name = node.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined);
  return [name?.getText() ?? node.getText()];
}

function namesClient(node: ts.Node): boolean {
  if (ts.isTypeReferenceNode(node) && node.typeName.getText() === "Client") return true;
  return ts.forEachChild(node, namesClient) ?? false;
}

/** Judged apart from the product: what the documentation of MindsDB's HTTP API calls a read. */
function isRead({ method, path: at, body }: SeenRequest): boolean {
  if (method === "GET") return true;
  if (method !== "POST") return false;
  if (at === "/api/sql/query") {
    const { query } = JSON.parse(body) as { query: string };
    // Names stand in backticks or double quotes, which they cannot leave.
    const words = query.replace(/`[^`]*`|"[^"]*"/g, "name");
    return /^(select|describe|show)\s/i.test(words) && !/[;'`"]|\binto\b/i.test(words);
  }
  return /^\/api\/projects\/[^/]+\/(models\/[^/]+\/predict|agents\/[^/]+\/completions(\/stream)?)$/.test(
    at,
  );
}

/** What the server answers, by turns: operations have other ways to ask where one fails. */
const answers: { status: number; body: unknown }[] = [
  { status: 200, body: [] },
  { status: 200, body: { type: "table", column_names: ["a"], data: [["b"]] } },
  { status: 200, body: { type: "error", error_message: "No such table" } },
  { status: 404, body: {} },
  { status: 405, body: {} },
  { status: 422, body: {} },
  { status: 500, body: {} },
];

let at = 0;
const answerByTurns: Parameters<typeof useServer>[0] = (_, response) => {
  const { status, body } = answers[at++ % answers.length]!;
  sendJson(response, status, body);
};

describe("A read-only client", () => {
  const used = useServer(answerByTurns, { isReadOnly: () => true, findListingUse });

  it("is tested with every operation of the library that takes a client", () => {
    const tested = [...Object.keys(reads), ...Object.keys(changes)];
    assert.deepEqual(exportedOperations().sort(), tested.sort());
  });

  const text = fc.oneof(
    fc.constantFrom("mindsdb", "a b", "..", "a/b", "x`y", "last", "'; DROP TABLE t; --"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  );
  const names = fc.record({ project: text, name: text });

  for (const [operation, call] of Object.entries(reads)) {
    it(`lets ${operation} read, and nothing else`, async () => {
      await fc.assert(
        fc.asyncProperty(names, fc.nat(answers.length), async (named, first) => {
          at = first;
          // What the answers lead to is other tests' matter.
          await call(used.client, named).catch(() => undefined);
          for (const request of used.server.seen) {
            assert.ok(isRead(request), JSON.stringify(request));
          }
        }),
        { numRuns: 60 },
      );
      assert.ok(used.server.seen.length > 0);
    });
  }

  for (const [operation, call] of Object.entries(changes)) {
    it(`refuses ${operation} before anything is sent`, async () => {
      await fc.assert(
        fc.asyncProperty(names, async (named) => {
          await assert.rejects(call(used.client, named), (error) => isAppError(error, "readOnly"));
        }),
        { numRuns: 60 },
      );
      assert.deepEqual(used.server.seen, []);
    });
  }

  it("sends none of 3,000 statements that may change something, and all others", async () => {
    const statement = fc.oneof(
      sqlStatement,
      brokenStatement,
      fc.constantFrom(...changingStatements),
    );
    const statements = fc.sample(statement, 3_000);
    const expected = statements.filter((sql) => kindOfSql(sql) !== "write");
    const left = [...statements];
    const work = async (): Promise<void> => {
      for (let sql = left.pop(); sql !== undefined; sql = left.pop()) {
        const isSent = kindOfSql(sql) !== "write";
        const error: unknown = await runSql(used.client, sql).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.equal(isAppError(error, "readOnly"), !isSent, sql);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const sent = used.server.seen.map(({ body }) => (JSON.parse(body) as { query: string }).query);
    const unlike = (sql: string): boolean => kindOfSql(sql) === "write";
    assert.deepEqual(sent.filter(unlike), []);
    assert.equal(sent.length, expected.length);
    assert.ok(expected.length > 150 && expected.length < 2_850, String(expected.length));
  });
});

describe("Names in the SQL of an operation", () => {
  const used = useServer(answerByTurns);
  const quoted = /`(?:``|[^`])*`|"(?:""|[^"])*"|'(?:''|[^'])*'/g;

  for (const [operation, call] of Object.entries({ ...reads, ...changes })) {
    it(`stand in quotes, and cannot end them: ${operation}`, async () => {
      for (const name of ["canary a", "canary'b", "canary`c", 'canary"d']) {
        for (const first of answers.keys()) {
          at = first;
          // A name that SQL cannot say may be refused.
          await call(used.client, { project: `${name} p`, name }).catch(() => undefined);
        }
      }
      const statements = used.server.seen
        .filter(({ path: asked }) => asked === "/api/sql/query")
        .map(({ body }) => (JSON.parse(body) as { query: string }).query);
      const leaving = statements.filter((sql) => sql.replace(quoted, "").includes("canary"));
      assert.deepEqual([...new Set(leaving)], []);
    });
  }
});
