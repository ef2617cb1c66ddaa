// Rows of a server: pages, their order, and values that keep their form.
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import { readQueryOrder } from "../../../src/mindsdb/sql/parser/queryOrder.ts";
import type { ServerSource } from "../../../src/predict/notebook/serverSource.ts";
import { chooseOrder, readServerRows } from "../../../src/predict/rows/serverRows.ts";
import { rowBytes, type Row } from "../../../src/predict/rows/row.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, type TestServer } from "../mindsdb/httpServer.ts";

describe("rows of a server for a prediction", () => {
  /** Each row as JSON. */
  let table: string[];
  let columns: string[];
  /** Resolves when the count may be answered. */
  let counting: Promise<void>;
  /** Queries that the server fails to answer. */
  let failures: number;
  /** The number of rows after which the server's source fails. */
  let end: number;
  /** What the server answers besides rows, by path. */
  let lists: Record<string, unknown>;
  let server: TestServer;
  let transport: Transport;
  let client: Client;
  const queries = (): string[] =>
    server.seen.map(({ body }) => (JSON.parse(body) as { query: string }).query);

  beforeEach(async () => {
    columns = ["id", "v"];
    counting = Promise.resolve();
    failures = 0;
    end = Infinity;
    lists = {};
    server = await listen(({ path, body }, response) => {
      if (path in lists) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(lists[path]));
        return;
      }
      if (failures-- > 0) {
        response.writeHead(503).end();
        return;
      }
      const { query } = JSON.parse(body) as { query: string };
      const isCount = query.includes("count(*)");
      const names = isCount ? ["row_count"] : columns;
      const [, limit = "0", offset = "0"] = /LIMIT (\d+)(?: OFFSET (\d+))?$/.exec(query) ?? [];
      const rows = table.slice(Number(offset), Math.min(Number(offset) + Number(limit), end));
      const data = isCount ? `[${String(table.length)}]` : rows.join(",");
      const answer = `{"type":"table","data":[${data}],"column_names":${JSON.stringify(names)}}`;
      void (isCount ? counting : Promise.resolve()).then(() => response.end(answer));
    });
    transport = createTransport(server.address);
    client = clientOver(transport);
  });
  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  async function read(source: ServerSource, maxRows?: number): Promise<Row[][]> {
    const counts: number[] = [];
    const pages: Row[][] = [];
    const onCount = (count: number) => counts.push(count);
    const options = { maxRows, onColumns: () => undefined, onCount };
    for await (const page of readServerRows(client, source, options)) pages.push(page);
    assert.deepEqual(counts, [pages.flat().length]);
    return pages;
  }

  it("keep large integers, decimals, nulls and texts as the server writes them", async () => {
    const values = ["9007199254740993", "1.0", "0.10", "1e400", "-0", "null", "true", '"1.0"'];
    table = values.map((value, at) => `[${String(at)},${value}]`);
    const [page = []] = await read({ source: { table: ["files", "t"] } });
    assert.deepEqual(
      page.map((row) => rowBytes(row).toString()),
      values.map((value, at) => `{"id":${String(at)},"v":${value}}`),
    );
  });

  it("may be incomplete where PostgreSQL may have failed, and may have changed elsewhere", async () => {
    table = Array.from({ length: 10 }, (_, at) => `[${String(at)},"x"]`);
    const options = { onColumns: () => undefined, onCount: () => undefined };
    const explain = async (source: ServerSource["source"]): Promise<string> => {
      try {
        for await (const page of readServerRows(client, { source }, options)) {
          assert.equal(page.length, 0);
        }
        return "";
      } catch (error) {
        return isAppError(error, "badAnswer") ? error.message : String(error);
      }
    };
    lists = {
      "/api/status": { mindsdb_version: "26.1.0" },
      "/api/databases/": [{ name: "pg", type: "data", engine: "postgres" }],
      "/api/projects/": [{ name: "mindsdb" }],
      "/api/projects/mindsdb/views": [{ name: "v", query: "SELECT * FROM pg.t" }],
      "/api/projects/files/views": [],
    };
    end = 0;
    const doubt =
      /^The server returned 0 of 10 rows\. This result may be incomplete: .*count\(\*\)/;
    assert.match(await explain({ table: ["pg", "t"] }), doubt);
    assert.match(await explain({ select: "SELECT id, v FROM mindsdb.v" }), doubt);
    assert.match(await explain({ table: ["files", "t"] }), /^The server .*They may have changed/);
  });

  it("come in pages with an order, except where one is there", async () => {
    table = Array.from({ length: 12_001 }, (_, at) => `[${String(at)},"x"]`);
    const sources: [ServerSource["source"], string][] = [
      [{ table: ["files", "t"], where: "id >= 0" }, "FROM `files`.`t` WHERE (id >= 0\n) LIMIT"],
      [
        { table: ["pg", "t"] },
        "FROM (SELECT * FROM `pg`.`t`) AS source_rows ORDER BY `id`, `v` LIMIT",
      ],
      [
        { select: "SELECT id, v FROM pg.t" },
        "FROM (SELECT id, v FROM pg.t\n) AS source_rows ORDER BY `id`, `v` LIMIT",
      ],
      [
        { select: "SELECT id, v FROM pg.t ORDER BY id" },
        "FROM (SELECT id, v FROM pg.t ORDER BY id\n) AS source_rows ORDER BY `id`, `v` LIMIT",
      ],
      [
        { select: "SELECT * FROM pg.t ORDER BY `V` DESC NULLS LAST" },
        "FROM (SELECT * FROM pg.t ORDER BY `V` DESC NULLS LAST\n) AS source_rows ORDER BY `v` DESC NULLS LAST, `id` LIMIT",
      ],
    ];
    for (const [source, from] of sources) {
      const before = server.seen.length;
      const pages = await read({ source });
      assert.deepEqual(
        pages.map(({ length }) => length),
        [5_000, 5_000, 2_001],
      );
      const sent = queries().slice(before);
      for (const query of sent) assert.equal(kindOfSql(query), "read");
      // The first page of a source with an order is read before it is known whether it needs the order.
      const isOrdered = from.includes("ORDER");
      assert.equal(sent.filter((query) => query.includes("count(*)")).length, 1);
      assert.deepEqual(sent.slice(isOrdered ? 2 : 1), [
        `SELECT * ${from} 5000 OFFSET 0`,
        `SELECT * ${from} 5000 OFFSET 5000`,
        `SELECT * ${from} 5000 OFFSET 10000`,
      ]);
    }
  });

  it("are in memory a page at a time, also a million of them", async () => {
    columns = ["v"];
    table = Array.from({ length: 1_000_000 }, () => "[1]");
    const source = { table: ["files", "t"] };
    let rows = 0;
    let pages = 0;
    const options = { onColumns: () => undefined, onCount: () => undefined };
    for await (const page of readServerRows(client, { source }, options)) {
      rows += page.length;
      pages++;
      assert.equal(page.length, 5_000);
      // The count, and no page before it is wanted.
      assert.equal(server.seen.length, 1 + pages);
    }
    assert.equal(rows, 1_000_000);
  });

  it("come in smaller pages if they are large, down to one that is too large", async () => {
    const text = JSON.stringify("x".repeat(1_000_000));
    table = Array.from({ length: 30 }, (_, at) => `[${String(at)},${text}]`);
    const source = { table: ["files", "t"] };
    const pages = await read({ source });
    assert.equal(pages.flat().length, 30);
    assert.ok(pages.every((page) => page.length <= 8));
    table = [`[0,${JSON.stringify("x".repeat(9_000_000))}]`];
    await assert.rejects(read({ source }), (error) => isAppError(error, "tooLarge"));
  });

  it("come with columns whose names SQL cannot say, unless their order needs them", async () => {
    columns = ["id", "a`b"];
    table = ['[1,"x"]'];
    const source = { select: "SELECT * FROM files.t" };
    const [page = []] = await read({ source });
    assert.deepEqual(
      page.map((row) => rowBytes(row).toString()),
      ['{"id":1,"a`b":"x"}'],
    );
    table = Array.from({ length: 5_001 }, (_, at) => `[${String(at)},"x"]`);
    await assert.rejects(read({ source }), (error) => isAppError(error, "sql"));
    assert.equal((await read({ source: { table: ["files", "t"] } })).flat().length, 5_001);
  });

  it("are not more than the limits say", async () => {
    table = Array.from({ length: 20 }, (_, at) => `[${String(at)},"x"]`);
    const source = { table: ["files", "t"] };
    assert.equal((await read({ source, limit: 7 }, 9)).flat().length, 7);
    assert.equal((await read({ source, limit: 9 }, 7)).flat().length, 7);
  });

  it("are not cut by an order that pages cannot have", async () => {
    table = Array.from({ length: 7_000 }, (_, at) => `[${String(at)},"x"]`);
    const select = "SELECT id, v FROM pg.t ORDER BY id, abs(price)";
    assert.equal((await read({ source: { select } })).flat().length, 7_000);
    assert.equal((await read({ source: { select }, limit: 5_000 })).flat().length, 5_000);
    await assert.rejects(
      read({ source: { select }, limit: 6_000 }),
      (error) => isAppError(error, "refused") && error.message.includes("sorted by"),
    );
    const sorted = "SELECT id, v FROM pg.t ORDER BY id";
    assert.equal((await read({ source: { select: sorted }, limit: 6_000 })).flat().length, 6_000);
  });

  it("are not read if two columns have the same name", async () => {
    columns = ["id", "id"];
    table = ["[1,2]"];
    await assert.rejects(
      read({ source: { table: ["files", "t"] } }),
      (error) => isAppError(error, "refused") && error.message.includes("“id”"),
    );
    assert.deepEqual(queries(), [
      "SELECT count(*) AS row_count FROM `files`.`t`",
      "SELECT * FROM `files`.`t` LIMIT 5000 OFFSET 0",
    ]);
  });

  it("come before they are counted, where they need no order", async () => {
    table = Array.from({ length: 6_000 }, (_, at) => `[${String(at)},"x"]`);
    const sources: ServerSource[] = [
      { source: { table: ["files", "t"] } },
      { source: { table: ["pg", "t"] }, limit: 5_000 },
    ];
    for (const source of sources) {
      let count = () => undefined as void;
      counting = new Promise((resolve) => (count = resolve));
      const seen: string[] = [];
      const rows = readServerRows(client, source, {
        onColumns: (names) => seen.push(names.join()),
        onCount: (total) => seen.push(String(total)),
      });
      assert.equal(((await rows.next()).value as Row[]).length, 5_000);
      assert.deepEqual(seen, ["id,v"]);
      count();
      for await (const page of rows) assert.equal(page.length, 1_000);
      assert.deepEqual(seen, ["id,v", String(source.limit ?? 6_000)]);
    }
  });

  it("are counted again, and read again, if the server is away for a moment", async () => {
    table = ['[1,"x"]'];
    failures = 2;
    let failed = 0;
    const rows = readServerRows(
      client,
      { source: { table: ["files", "t"] } },
      {
        onColumns: () => undefined,
        onCount: (total) => assert.equal(total, 1),
        onFailure: () => Promise.resolve(++failed <= 2),
      },
    );
    assert.equal(((await rows.next()).value as Row[]).length, 1);
    assert.ok((await rows.next()).done);
    assert.equal(failed, 2);
  });

  it("come in the order that the query says, which all columns make complete", () => {
    const orders: [query: string, order: string][] = [
      ["SELECT * FROM a ORDER BY v", "v"],
      ["SELECT * FROM a ORDER BY t.ID DESC, `v` asc LIMIT 7 OFFSET 2", "id DESC, v"],
      // In double quotes, it is a text.
      ['SELECT * FROM a ORDER BY "v", 1 DESC', ""],
      ["SELECT * FROM a ORDER BY v, 1 DESC", "v, id DESC"],
      ["WITH x AS (SELECT * FROM b ORDER BY id) SELECT * FROM x ORDER BY v", "v"],
      ["(SELECT * FROM a ORDER BY v) LIMIT 3", "v"],
      // It orders only the second query.
      ["SELECT * FROM a UNION SELECT * FROM b ORDER BY v", ""],
      ["SELECT * FROM a", ""],
      ["SELECT * FROM (SELECT * FROM a ORDER BY v) AS c", ""],
      ["SELECT `order` FROM a WHERE b = 'order by v'", ""],
      ["SELECT row_number() OVER (ORDER BY v) AS n FROM a", ""],
      ["SELECT * FROM a ORDER BY abs(v), id", ""],
      ["SELECT * FROM a ORDER BY v + 1", ""],
      ["SELECT * FROM a ORDER BY v, other", "v"],
      ["SELECT * FROM a ORDER BY v, abs(id)", "v"],
      ["SELECT * FROM a ORDER BY 9", ""],
      ["SELECT * FROM a ORDER BY `Sale Date` DESC", "Sale Date DESC"],
      ['SELECT * FROM a ORDER BY t."sale date" asc, `v` LIMIT 9', "Sale Date, v"],
      ["SELECT * FROM a ORDER BY `A, b desc`, `Limit` DESC", "A, b desc, Limit DESC"],
      ["SELECT * FROM a ORDER BY `t . x` DESC, `2`", "t . x DESC, 2"],
      ["SELECT * FROM a ORDER BY V, v DESC", "V, v DESC"],
      ["SELECT * FROM a ORDER BY v DESC NULLS LAST, id nulls first", "v DESC last, id first"],
      ["SELECT * FROM a ORDER BY t.`limit`, v, id DESC, v DESC", "Limit, v, id DESC"],
      // Of several directions, the last one counts.
      ["SELECT * FROM a ORDER BY v ASC DESC, id DESC NULLS LAST ASC", "v DESC, id last"],
      ["SELECT order, by FROM order ORDER BY v", "v"],
      ["((SELECT * FROM a ORDER BY `Sale Date`) );", "Sale Date"],
      ["(SELECT * FROM a ORDER BY v) UNION (SELECT * FROM b)", ""],
      ["SELECT * FROM a ORDER BY ((t.v)) DESC, (id)", "v DESC, id"],
      ["SELECT * FROM a ORDER BY (v) + 1", ""],
      ["SELECT * FROM a ORDER BY (v + 1)", ""],
      ["SELECT * FROM a ORDER BY 'v'", ""],
      ["SELECT * FROM a ORDER BY v up", ""],
    ];
    const columns = ["id", "v", "Sale Date", "A, b desc", "Limit", "t . x", "2", "V"];
    for (const [query, order] of orders) {
      const terms = chooseOrder(readQueryOrder(query), columns).map(
        ({ column, isDescending, nulls }) =>
          [column, isDescending ? "DESC" : undefined, nulls].filter(Boolean).join(" "),
      );
      const named = order === "" ? [] : order.split(/, (?!b desc)/);
      const others = columns.filter(
        (column) => !named.some((term) => term.replace(/( DESC)?( last| first)?$/, "") === column),
      );
      assert.equal(terms.join(", "), [...named, ...others].join(", "), query);
    }
  });
});
