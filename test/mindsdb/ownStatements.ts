// Statements that the product writes itself, with names and texts from servers and files that look like SQL.
import { createAgentStatement } from "../../src/agents/host/createStatement.ts";
import { createKnowledgeBaseStatement } from "../../src/knowledgeBases/form/createStatement.ts";
import { describeModel } from "../../src/mindsdb/describeModel.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { dropFile } from "../../src/mindsdb/files.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { createJobStatement, deleteJob } from "../../src/mindsdb/jobs.ts";
import { listDocumentIds } from "../../src/mindsdb/knowledgeBaseContent.ts";
import { readMetadataValues } from "../../src/mindsdb/metadataValues.ts";
import { createProject } from "../../src/mindsdb/projectChanges.ts";
import { Secrets } from "../../src/mindsdb/redact/redact.ts";
import { countRows, listSourceColumns, readRowPages } from "../../src/mindsdb/rowPages.ts";
import { searchStatement } from "../../src/mindsdb/searchKnowledgeBase.ts";
import { nameInSql } from "../../src/mindsdb/sql/nameInSql.ts";
import { quoteName } from "../../src/mindsdb/sql/quoteName.ts";
import { sqlWithValues } from "../../src/mindsdb/sql/sqlWithValues.ts";
import { listTableColumns } from "../../src/mindsdb/tables.ts";
import {
  activateVersion,
  createModelStatement,
  finetuneStatement,
  retrainStatement,
} from "../../src/mindsdb/training.ts";
import { readTrainingRow } from "../../src/mindsdb/trainingRow.ts";
import { writeIntoStatement } from "../../src/predict/run/intoStatement.ts";
import { hostileTexts } from "../hostileTexts.ts";

export interface OwnStatement {
  of: string;
  sql: string;
  /** What it must name. */
  name: string;
}

/** A name that nothing needs to be done about. */
export const plainName = "plain";

const names = [
  plainName,
  ...hostileTexts,
  "a`b`c",
  "a.b`; DROP TABLE t; --",
  "t; DROP TABLE t",
  "t`; DROP TABLE t; --",
  't"; DROP TABLE t; --',
  "a`b.c",
  'a`"b',
  "a.b.`c",
  "it's`; DROP TABLE t",
  "t\n; DROP TABLE t",
  "`t`",
  "$(evil 1)",
  "‘a’“b”; DROP TABLE t",
  "ʼ; DROP TABLE t --",
  "'",
  "`",
  '"',
  "\\",
  "\\`",
  "1 INTO pwned",
  "evil(1)",
  "a, evil(1)",
  " a ",
  "last",
  "select",
  "#",
  "/*",
  "😀`; DROP TABLE t",
];

/** All statements of the product with each of the names; those that it refuses are absent. */
export async function ownStatements(): Promise<OwnStatement[]> {
  const all: OwnStatement[] = [];
  for (const name of names) {
    for (const [of, write] of Object.entries(writers)) {
      try {
        for (const sql of await write(name)) all.push({ of, name, sql });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
  return all;
}

type Writer = (name: string) => Promise<string[]> | string[];

const present = (sql: string | undefined): string[] => (sql === undefined ? [] : [sql]);
const select = "SELECT a FROM files.t";

const writers: Record<string, Writer> = {
  agent: (name) => present(createAgentStatement("p", { name })),
  "agent's project": (name) => present(createAgentStatement(name, { name: "a" })),
  "agent's tables": (name) =>
    present(createAgentStatement("p", { name: "a", data: { tables: [name] } })),
  "agent's prompt": (name) =>
    present(createAgentStatement("p", { name: "a", prompt_template: name })),
  "agent's params": (name) =>
    present(createAgentStatement("p", { name: "a", params: { x: { y: [name] } } })),
  "knowledge base": (name) => present(createKnowledgeBaseStatement("p", name, {})),
  "knowledge base's columns": (name) =>
    present(createKnowledgeBaseStatement("p", "k", { content_columns: [name] })),
  "knowledge base's storage": (name) =>
    present(createKnowledgeBaseStatement("p", "k", { storage: { database: "d", table: name } })),
  job: (name) => [createJobStatement("p", { name, query: select })],
  "job's project": (name) => [createJobStatement(name, { name: "j", query: select })],
  "job's statement": (name) => [
    ...[name, `${name})`, `'${name}'`, `SELECT 1)\n${name}`].map((query) =>
      createJobStatement("p", { name: "j", query: select, condition: query }),
    ),
    createJobStatement("p", { name: "j", query: `SELECT 1); ${name}; (SELECT 2` }),
  ],
  "job's times": (name) => [
    createJobStatement("p", { name: "j", query: select, startAt: name, endAt: name }),
    ...[name, `every ${name}`, `every 1 day IF (${name})`].map((schedule) =>
      createJobStatement("p", { name: "j", query: select, schedule }),
    ),
  ],
  search: (name) => [searchStatement("p", name, search).query],
  "search's project": (name) => [searchStatement(name, "k", search).query],
  "search with values": (name) => {
    const { query, params } = searchStatement("p", "k", { ...search, question: name });
    return present(sqlWithValues(query, params));
  },
  "copied SELECT": (name) => [`SELECT * FROM ${nameInSql(["d", name])} LIMIT 50`],
  "copied SELECT of a schema": (name) => [`SELECT * FROM ${nameInSql(["d", name, "t"])} LIMIT 50`],
  model: (name) => [createModelStatement({ project: "p", name, select, target: "y", engine: "e" })],
  "model's target": (name) => [
    createModelStatement({ project: "p", name: "m", select, target: name, engine: "e" }),
  ],
  "model's engine": (name) => [
    createModelStatement({ project: "p", name: "m", select, target: "y", engine: name }),
  ],
  "model's options": (name) => [
    retrainStatement({ project: "p", name: "m", options: new Map([["o", { x: [name] }]]) }),
    retrainStatement({ project: "p", name: "m", options: new Map([["o", name]]) }),
  ],
  "finetuned model": (name) => [finetuneStatement({ project: "p", name, select })],
  "file with predictions": (name) => [writeIntoStatement({ ...into, into: ["files", name] })],
  "columns of predictions": (name) => [writeIntoStatement({ ...into, columns: [name, "b"] })],
  "source of predictions": (name) => [
    writeIntoStatement({ ...into, source: { table: ["d", name] } }),
  ],
  "target of predictions": (name) => [writeIntoStatement({ ...into, target: name })],
  project: sent((client, name) => createProject(client, name)),
  "deleted job": sent((client, name) => deleteJob(client, { project: "p", name })),
  "deleted file": sent((client, name) => dropFile(client, name)),
  "chosen version": sent((client, name) =>
    activateVersion(client, { project: "p", name, version: 2 }),
  ),
  "description of a model": sent((client, name) => describeModel(client, { project: "p", name })),
  documents: sent((client, name) => listDocumentIds(client, { project: "p", name })),
  "values of metadata": sent((client, name) =>
    readMetadataValues(client, { project: "p", name: "k" }, name),
  ),
  table: sent((client, name) => listTableColumns(client, ["d", name])),
  "table of a schema": sent((client, name) => listTableColumns(client, ["d", "s", name])),
  "table of a catalog": sent((client, name) => listTableColumns(client, ["d", "c", "s", name])),
  "data source": sent((client, name) => listTableColumns(client, [name, "t"])),
  rows: sent(async (client, name) => {
    const source = { table: ["d", name] };
    await listSourceColumns(client, source);
    await countRows(client, source);
    await readAll(readRowPages(client, source, { pageRows: 2, orderBy: "a" }));
  }),
  "rows of a catalog": sent((client, name) =>
    listSourceColumns(client, { table: ["d", "c", "s", name] }),
  ),
  "order of rows": sent(async (client, name) => {
    const source = { table: ["d", "t"] };
    await readAll(readRowPages(client, source, { pageRows: 2, orderBy: name }));
  }, /ORDER BY/),
  "training row": sent((client, name) =>
    readTrainingRow(client, {
      project: "p",
      query: `SELECT a FROM d.c.s.${quoteName(name)}`,
      columns: ["a"],
    }),
  ),
};

const search = { question: "", limit: 5, filters: [] };
const into = {
  source: { table: ["d", "t"] },
  columns: ["a"],
  maxRows: 5,
  model: { project: "p", name: "m", version: 1 },
  target: "y",
  into: ["files", "r"],
  replaces: true,
  nonce: "n",
};

async function readAll(pages: AsyncGenerator): Promise<void> {
  while (!(await pages.next()).done);
}

/** The statements that an operation sends. */
function sent(run: (client: Client, name: string) => Promise<unknown>, which = /./): Writer {
  return async (name) => {
    const queries: string[] = [];
    const client = {
      secrets: new Secrets(),
      observe: () => undefined,
      findListingUse: () => Promise.resolve("none"),
      learnSecrets: () => Promise.resolve(),
      get: (path: string) =>
        path === "/api/databases/"
          ? Promise.resolve([{ name: "d", type: "data" }])
          : Promise.reject(new AppError("refused", "")),
      post(_path: string, { query }: { query: string }) {
        queries.push(query);
        const isCount = query.includes("row_count");
        const rows = isCount ? [[3]] : [[1], [2]].slice(0, queries.length > 9 ? 0 : 2);
        return Promise.resolve({ type: "table", column_names: ["a"], data: rows });
      },
    };
    await run(client as unknown as Client, name).catch(() => undefined);
    return queries.filter((query) => which.test(query));
  };
}
