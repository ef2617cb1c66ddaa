// What the tree shows below a connection's Data node: data sources, schemas, tables and columns.
import assert from "node:assert/strict";
import type { ServerAccess } from "../../../src/shared/connection.ts";
import { copiedName } from "../../../src/explorer/copiedName.ts";
import { loadChildren } from "../../../src/explorer/loadChildren.ts";
import { loadRoots } from "../../../src/explorer/loadRoots.ts";
import {
  isParent,
  nodeId,
  type ExplorerNode,
  type NamedNode,
  type ParentNode,
} from "../../../src/explorer/node.ts";
import { visitTables, visitTree } from "../../../src/explorer/visitTree.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { useTestClient } from "../../useTestClient.ts";
import { accessTo } from "./accessTo.ts";

type Answers = (method: "get" | "post", path: string, body?: unknown) => unknown;

/** A client with canned answers, which counts what is asked. */
function cannedClient(answers: Answers): { access: ServerAccess; asked: string[] } {
  const asked: string[] = [];
  const ask = (method: "get" | "post") => (path: string, body?: unknown) => {
    asked.push(path);
    return Promise.resolve().then(() => answers(method, path, body));
  };
  const client = {
    get: ask("get"),
    post: ask("post"),
    secrets: new Secrets(),
    observe: () => undefined,
    findListingUse: () => Promise.resolve("none"),
    learnSecrets: () => Promise.resolve(),
  };
  return { access: accessTo({ c: client as never as Client }), asked };
}

async function childNamed(parent: ParentNode, access: ServerAccess, label: string) {
  const children = await loadChildren(parent, access);
  const found = children.find(
    (node) =>
      node.kind === label ||
      ("name" in node && node.kind !== "error" && copiedName(node) === label),
  );
  assert.ok(found, `${label} is not in ${children.map(nodeId).join(", ")}`);
  return found as NamedNode & ParentNode;
}

/** Opens these nodes of the first connection, one below the other. */
async function open(access: ServerAccess, ...labels: string[]) {
  let node = loadRoots(access)[0]! as NamedNode & ParentNode;
  for (const label of labels) node = await childNamed(node, access, label);
  return node;
}

/** The nodes that a search for an item meets, or, with `withData`, one for anything. */
async function visited(access: ServerAccess, options?: { withData: boolean }) {
  const found: ExplorerNode[] = [];
  const add = (node: ExplorerNode) => void found.push(node);
  await visitTree(access, add, () => false, options);
  return found;
}

const kinds = (nodes: ExplorerNode[]) => nodes.map(({ kind }) => kind);

describe("Data sources in the tree", () => {
  it("end with an offer to connect one while there are only uploaded files", async () => {
    const read = (...names: string[]) => {
      const { access } = cannedClient(() =>
        names.map((name) => ({ name, type: "data", engine: "any" })),
      );
      const [root] = loadRoots(access);
      return loadChildren({ kind: "data", connectionId: "c", parent: root! }, access);
    };
    assert.deepEqual(kinds(await read("files")), ["dataSource", "empty"]);
    assert.deepEqual(kinds(await read()), ["empty"]);
    assert.deepEqual(kinds(await read("files", "shop")), ["dataSource", "dataSource"]);
  });
});

describe("data in the tree, on the sample server", () => {
  const sample = useTestClient(startSampleServer);
  let access: ServerAccess;
  before(() => void (access = accessTo({ c: sample.client })));

  it("is below the connection, after its projects", async () => {
    const children = await loadChildren(loadRoots(access)[0]!, access);
    assert.deepEqual(kinds(children).slice(-3), ["data", "mlEngines", "queries"]);
    assert.equal(children.filter(({ kind }) => kind === "data").length, 1);
  });

  it("has the ML engines of the server beside it, read by themselves", async () => {
    const [engine, ...others] = await loadChildren(await open(access, "mlEngines"), access);
    assert.ok(engine?.kind === "mlEngine");
    assert.deepEqual([engine.item, others], [{ name: "sample", handler: "sample" }, []]);
  });

  it("leads from data source to table to columns with their types", async () => {
    const data = await open(access, "data");
    const sources = await loadChildren(data, access);
    assert.ok(sources.every((node) => node.kind === "dataSource"));
    assert.ok(
      sources.every((node) => !nodeId(node).includes("store_")),
      "stores of knowledge bases are no data of the user",
    );
    const table = await open(access, "data", "files", "files.home_rentals");
    const columns = await loadChildren(table, access);
    const types = Object.fromEntries(
      columns.map((node) => (node.kind === "column" ? [node.name, node.item.type] : [])),
    ) as Record<string, string>;
    assert.equal(types["sqft"], "number");
    assert.equal(types["neighborhood"], "text");
    assert.ok(columns.every((node) => !isParent(node)));
  });

  it("shows an error below a table that is gone, as in any list", async () => {
    const table = await open(access, "data", "files", "files.home_rentals");
    assert.ok(table.kind === "table");
    const gone = { ...table, name: "gone", item: { name: "gone" } };
    assert.deepEqual(kinds(await loadChildren(gone, access)), ["error"]);
  });

  it("is found by its data sources and uploaded tables", async () => {
    const found = await visited(access, { withData: true });
    assert.ok(found.some((node) => node.kind === "dataSource" && node.name === "files"));
    assert.ok(found.some((node) => node.kind === "table" && node.name === "home_rentals"));
    assert.ok(!kinds(found).includes("column"));
    const others = kinds(await visited(access));
    assert.ok(!others.includes("dataSource"), "an agent is picked without data sources");
  });
});

describe("data in the tree, on other servers", () => {
  const databases = [
    { name: "mindsdb", type: "project", deletable: false },
    { name: "pg", type: "data", engine: "postgres" },
    { name: "store_kb", type: "data", engine: "chromadb" },
    { name: "log", type: "system" },
  ];
  const branch = [
    {
      name: "public",
      class: "schema",
      children: [
        { name: "Orders", class: "table", type: "table" },
        { name: "totals", class: "table", type: "view" },
      ],
    },
    { name: "audit", class: "schema", children: [{ name: "a.b", class: "table" }] },
  ];

  it("is found by its jobs and triggers, which no command asks for", async () => {
    const { access } = cannedClient((method, path) => {
      if (path === "/api/databases/") return databases;
      if (path.endsWith("/jobs")) return [{ name: "nightly", query: "SELECT 1" }];
      if (method === "get") return [];
      const triggers = [["watch", "pg", "orders", "SELECT 1"]];
      return {
        type: "table",
        column_names: ["NAME", "DATABASE", "TABLE", "QUERY"],
        data: triggers,
      };
    });
    const names = async (withData: boolean) =>
      (await visited(access, { withData })).flatMap((node) =>
        node.kind === "job" || node.kind === "trigger" ? [node.name] : [],
      );
    assert.deepEqual((await names(true)).sort(), ["nightly", "watch"]);
    assert.deepEqual(await names(false), []);
  });

  it("has views whose queries are searched for secrets a few at a time, and not to their ends", async () => {
    const query = `SELECT '${"token ".repeat(16_000)}' FROM t`;
    const views = Array.from({ length: 20 }, (_, at) => ({ name: `v${at}`, query }));
    views.push({ name: "zz", query: `SELECT 1${" ".repeat(20_000_000)}` });
    const { access } = cannedClient((_, path) => (path.endsWith("/views") ? views : []));
    const place = { connectionId: "c", project: "p" };
    const [one] = access.list();
    const connection = { kind: "connection" as const, connectionId: "c", connection: one! };
    const project = { kind: "project" as const, ...place, isDefault: true, parent: connection };
    const parent = { kind: "group" as const, group: "views" as const, ...place, parent: project };
    let turns = 0;
    const turning = setInterval(() => turns++);
    const nodes = await loadChildren(parent, access);
    clearInterval(turning);
    const lengths = nodes.map((node) => (node.kind === "view" ? node.item.query.length : 0));
    assert.equal(nodes.length, 21);
    assert.ok(Math.max(...lengths) <= 100_000, String(Math.max(...lengths)));
    assert.ok(turns >= 5, String(turns));
  });

  it("is found by its tables, in schemas too, only when they are wanted", async () => {
    const { access, asked } = cannedClient((_, path) => {
      if (path === "/api/databases/") return [...databases, { name: "mysql", type: "data" }];
      if (path === "/api/tree/mysql?all_schemas=true") throw new Error("no database answers");
      return path === "/api/tree/pg?all_schemas=true" ? branch : [];
    });
    const found: ExplorerNode[] = [];
    const add = (node: ExplorerNode) => void found.push(node);
    const sources = (await visited(access, { withData: true })).filter(
      (node) => node.kind === "dataSource",
    );
    assert.ok(!asked.some((path) => path.includes("/tree/")));
    await visitTables(access, sources, add, () => false);
    assert.deepEqual(found.map((node) => (node.kind === "table" ? node.name : node.kind)).sort(), [
      "audit.`a.b`",
      "error",
      "public.Orders",
      "public.totals",
      "schema",
      "schema",
    ]);
    asked.length = 0;
    await visitTables(access, sources, add, () => true);
    assert.deepEqual(asked, []);
  });

  it("has schemas and views, and copies names as SQL needs them", async () => {
    const { access, asked } = cannedClient((_, path) =>
      path === "/api/databases/" ? databases : branch,
    );
    const pg = await open(access, "data", "pg");
    const requests = asked.length;
    const schema = await childNamed(pg, access, "pg.public");
    const [orders, totals] = await loadChildren(schema, access);
    assert.equal(asked.length, requests + 1, "the list of tables holds the schemas' tables");
    assert.ok(orders?.kind === "table" && totals?.kind === "table");
    assert.equal(copiedName(orders), "pg.public.`Orders`");
    assert.equal(orders.name, "public.Orders");
    assert.deepEqual([orders.item.isView, totals.item.isView], [undefined, true]);
    const audit = await childNamed(pg, access, "pg.audit");
    const [dotted] = await loadChildren(audit, access);
    assert.equal(copiedName(dotted as NamedNode), "pg.audit.`a.b`");
    for (const [name, copied] of [
      ["a\nrm -rf ~\n", "a\\u{A}rm -rf ~\\u{A}"],
      ["a\r\u2028b", "a\\u{D}\\u{2028}b"],
      ["\u001b[31ma", "\\u{1B}[31ma"],
      ["👩\u200d💻 ä", "👩\u200d💻 ä"],
    ] as const) {
      assert.equal(copiedName({ kind: "agent", name } as NamedNode), copied);
      assert.ok(!/\p{Cc}/u.test(copiedName({ kind: "dataSource", name } as NamedNode)));
    }
  });

  it("takes the types that a data source declares", async () => {
    const { access } = cannedClient((_, path, body) => {
      if (path === "/api/databases/") return databases;
      if (path.startsWith("/api/tree/")) return [{ name: "t", class: "table", type: "table" }];
      const { query } = body as { query: string };
      return query.startsWith("SHOW")
        ? { type: "table", column_names: ["Field", "Type"], data: [["a", "numeric(8,2)"]] }
        : { type: "table", column_names: ["a", "b"], data: [["1.50", null]] };
    });
    const columns = await loadChildren(await open(access, "data", "pg", "pg.t"), access);
    assert.deepEqual(
      columns.map((node) => node.kind === "column" && node.item),
      [{ name: "a", type: "numeric(8,2)" }, { name: "b" }],
    );
  });

  it("has a row for each of 10,000 tables", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => {
      return { name: `table_${String(at)}`, class: "table", type: "table" };
    });
    const { access } = cannedClient((_, path) => (path === "/api/databases/" ? databases : many));
    const tables = await loadChildren(await open(access, "data", "pg"), access);
    assert.equal(new Set(tables.map(nodeId)).size, 10_000);
  });

  it("is absent where the server has no list of databases", async () => {
    const { AppError } = await import("../../../src/mindsdb/errors.ts");
    const { access } = cannedClient(() => {
      throw new AppError("notFound", "no such path", { status: 404 });
    });
    const children = await loadChildren(loadRoots(access)[0]!, access);
    assert.deepEqual(kinds(children), ["unlisted"]);
  });
});
