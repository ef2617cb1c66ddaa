// Credentials in the server's listings: found through views, and kept out of all that reads rows.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { CostConsent } from "../../../src/mindsdb/http/costConsent.ts";
import type { HttpRequest } from "../../../src/mindsdb/http/transport.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import {
  countRows,
  listSourceColumns,
  readRowPages,
  readRowTextPages,
  type RowSource,
} from "../../../src/mindsdb/rowPages.ts";
import { mayCost } from "../../../src/mindsdb/sql/asksAgent.ts";
import { findListingUse } from "../../../src/mindsdb/sql/findListingUse.ts";
import { listingUse } from "../../../src/mindsdb/sql/listingUse.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { readTrainingRow } from "../../../src/mindsdb/trainingRow.ts";
import { clientOf } from "./scriptedServer.ts";

const key = "made-up-key-0001";
const views = {
  direct: "SELECT hex(model) AS a FROM agents",
  "on view": 'SELECT a FROM "mindsdb.direct"',
  listed: "SELECT * FROM information_schema.agents",
  native: "SELECT * FROM other (SELECT a FROM theirs)",
  own: "SELECT * FROM files.agents",
  fromSource: "SELECT upper(a) FROM shop.jobs",
  endless: "SELECT * FROM endless",
};
const answers = {
  "/api/sql/query": { type: "table", column_names: ["a"], data: [[key]] },
  "/api/databases/": [
    { name: "mindsdb", type: "project", deletable: false },
    { name: "Other", type: "project" },
    { name: "Shop", type: "data", engine: "postgres" },
    { name: "twice", type: "data" },
    { name: "TWICE", type: "project" },
  ],
  "/api/projects/mindsdb/agents": [],
  "/api/projects/mindsdb/models": [],
  "/api/projects/mindsdb/views": Object.entries(views).map(([name, query]) => ({ name, query })),
  "/api/projects/other/views": [{ name: "theirs", query: "SELECT max(model) AS a FROM agents" }],
};

/** Sources whose rows are taken out of a listing, and those that surely have none of it. */
const listingSources: RowSource[] = [
  { table: ["mindsdb", "agents"] },
  { table: ["mindsdb", "on view"] },
  { table: ["mindsdb.direct"] },
  { table: ["other", "jobs"], where: "a = 1" },
  { select: "SELECT hex(model) AS a FROM agents" },
  { select: "SELECT t.a FROM files.t AS t, Direct AS d" },
  { select: "SELECT * FROM mindsdb (SELECT * FROM direct)" },
  { select: "SELECT * FROM other (SELECT * FROM theirs)" },
  { select: "SELECT name FROM agents" },
];
const ownSources: RowSource[] = [
  { table: ["shop", "jobs"] },
  { table: ["SHOP", "views"], where: "a = 1" },
  { table: ["mindsdb", "own"] },
  { select: "SELECT upper(a) FROM shop.models GROUP BY a" },
  { select: "SELECT * FROM fromSource" },
];

describe("the use of the server's listings", () => {
  const seen: HttpRequest[] = [];
  let client: Client;
  beforeEach(() => {
    seen.length = 0;
    client = clientOf(answers, { missing: 404, seen, findListingUse, mayCost });
  });
  const statements = (): HttpRequest[] => seen.filter(({ method }) => method === "POST");

  it("is found through views", async () => {
    for (const sql of [
      "SELECT a FROM Direct",
      "SELECT * FROM `on view`",
      "SELECT * FROM files.t AS t, MINDSDB.listed",
      "SELECT * FROM native",
      "SELECT * FROM other (SELECT * FROM theirs)",
      "SELECT a FROM other.theirs",
    ]) {
      assert.equal(await findListingUse(client, sql), "derived", sql);
      assert.equal(listingUse(sql), "none", sql);
    }
    for (const sql of ["SELECT * FROM own", "SELECT * FROM endless", "SELECT a FROM fromSource"]) {
      assert.equal(await findListingUse(client, sql), "none", sql);
    }
  });

  it("counts as such through a view with more text than is read in a moment", async () => {
    const query = `SELECT a${" , b".repeat(50_000)} FROM files.t`;
    const other = clientOf({ "/api/projects/mindsdb/views": [{ name: "long", query }] });
    assert.equal(await findListingUse(other, "SELECT * FROM long"), "derived");
  });

  it("is none in a table that the server says is a data source's", async () => {
    for (const sql of [
      "SELECT count(a), max(b) FROM shop.jobs",
      'SELECT * FROM "Shop.agents"',
      "SELECT * FROM shop.models AS m JOIN files.t AS t",
    ]) {
      assert.equal(await findListingUse(client, sql), "none", sql);
    }
    for (const sql of [
      "SELECT upper(a) FROM other.jobs",
      "SELECT upper(a) FROM twice.jobs",
      "SELECT upper(a) FROM nowhere.jobs",
      "SELECT upper(a) FROM jobs",
      "SELECT upper(a) FROM shop.jobs, agents",
    ]) {
      assert.equal(await findListingUse(client, sql), "derived", sql);
    }
  });

  it("counts as such where the lists cannot be read, and fails where nothing answers", async () => {
    const broken = clientOf({}, { findListingUse });
    assert.equal(await findListingUse(broken, "SELECT * FROM mindsdb.t"), "derived");
    assert.equal(await findListingUse(broken, "SELECT * FROM files.t"), "none");
    const refused = clientOf({}, { missing: 401, findListingUse });
    await assert.rejects(findListingUse(refused, "SELECT * FROM t"), (error) =>
      isAppError(error, "signInNeeded"),
    );
  });

  it("is refused for all that is read to be sent on, before a row is read", async () => {
    const ways = {
      countRows: (source: RowSource) => countRows(client, source),
      listSourceColumns: (source: RowSource) => listSourceColumns(client, source),
      readRowPages: (source: RowSource) => readRowPages(client, source).next(),
      readRowTextPages: (source: RowSource) => readRowTextPages(client, source).next(),
    };
    for (const [name, read] of Object.entries(ways)) {
      for (const source of listingSources) {
        const what = `${name} ${JSON.stringify(source)}`;
        await assert.rejects(read(source), (error) => isAppError(error, "refused"), what);
      }
      assert.deepEqual(statements(), [], name);
      for (const source of ownSources) await read(source);
      assert.ok(statements().length >= ownSources.length);
      seen.length = 0;
    }
  });

  it("is asked again if it could not be found out and the user tries again", async () => {
    let tries = 0;
    const flaky = clientOf(answers, {
      findListingUse: () =>
        ++tries < 3 ? Promise.reject(new Error("no answer")) : Promise.resolve("none"),
    });
    const pages = readRowPages(
      flaky,
      { table: ["shop", "t"] },
      { onFailure: () => Promise.resolve(true) },
    );
    assert.deepEqual((await pages.next()).value?.rows, [[key]]);
    assert.equal(tries, 3);
  });

  it("masks the first rows of a table, and leaves it out as an example row", async () => {
    for (const table of [
      ["mindsdb", "Direct"],
      ["mindsdb", "on view"],
      ["other", "theirs"],
    ]) {
      const { rows } = await readFirstRows(client, table, 5);
      assert.deepEqual(rows, [[mask]], table.join("."));
    }
    assert.deepEqual((await readFirstRows(client, ["shop", "jobs"], 5)).rows, [[key]]);
    seen.length = 0;
    for (const table of ["direct", "mindsdb.direct", "agents"]) {
      const query = `SELECT * FROM ${table}`;
      await readTrainingRow(client, { project: "mindsdb", query, columns: ["a"] });
    }
    const read = statements().map(({ body }) => /FROM (.*) LIMIT/.exec(body as string)?.[1]);
    assert.ok(read.includes("`Shop`.`direct`"), read.join());
    assert.ok(!read.some((name) => /^`mindsdb`\.`\w+`$/.test(name ?? "")), read.join());
  });

  it("is found with the requests that find out what a statement costs", async () => {
    const cost = new CostConsent(() => Promise.resolve(false));
    await countRows(client, { table: ["mindsdb", "own"] }, { cost });
    await readFirstRows(client, ["mindsdb", "t"], 5, { cost });
    const lists = seen.filter(({ method }) => method === "GET").map(({ path }) => path);
    assert.deepEqual(
      lists.sort(),
      ["agents", "models", "views"].map((list) => `/api/projects/mindsdb/${list}`),
    );
  });
});
