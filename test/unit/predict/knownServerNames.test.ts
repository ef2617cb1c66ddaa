// The names of a server by which the names in statements are checked.
import assert from "node:assert/strict";
import { createView } from "../../../src/mindsdb/viewChanges.ts";
import { rowsOfKnowledgeBase } from "../../../src/predict/sqlFile/serverNames.ts";
import { KnownServerNames } from "../../../src/predict/host/knownServerNames.ts";
import { KnownTables } from "../../../src/predict/host/knownTables.ts";
import { useRecordedServer } from "./recordClient.ts";

describe("the names known for checks of SQL", () => {
  const server = useRecordedServer();
  let tables: KnownTables;

  beforeEach(() => {
    tables = new KnownTables(server.servers, () => true);
  });

  /** Reads names until an answer brings no others. */
  async function read<T>(names: (known: KnownServerNames) => T | undefined): Promise<T> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const listener = tables.onDidChange(() => {
          listener.dispose();
          resolve();
        });
      });
      const found = names(new KnownServerNames(tables, "sample", undefined));
      if (found !== undefined) return found;
      await changed;
    }
  }

  const columnsOf = (type: string, ...parts: string[]) =>
    read((names) => {
      const columns = names.columns(type, parts, true);
      return columns && [...columns.keys()];
    });

  it("are unknown until the server has answered, and asked for once", async () => {
    const known = new KnownServerNames(tables, "sample", undefined);
    assert.equal(known.databases(), undefined);
    const kinds = await read((names) => {
      const databases = names.databases();
      return databases && [...databases.values()].map(({ name, kind }) => `${name} ${kind}`);
    });
    assert.ok(kinds.includes("mindsdb project"), kinds.join());
    assert.ok(kinds.includes("files data"), kinds.join());
    assert.ok(
      kinds.some((one) => one.endsWith(" other")),
      kinds.join(),
    );
    const objects = await read((names) => names.objects(names.databases()!.get("files")!));
    assert.ok(objects.byName.has("home_rentals"));
    assert.deepEqual(server.asked, ["/api/databases/", "/api/tree/files?all_schemas=true"]);
    const later = new KnownServerNames(tables, "sample", undefined);
    later.renew();
    assert.equal(later.defaultDatabase, "mindsdb");
    assert.deepEqual(server.asked, ["/api/databases/", "/api/tree/files?all_schemas=true"]);
  });

  it("share the names of long lists, as each SQL cell has its own", async () => {
    const files = (names: KnownServerNames) => names.objects(names.databases()!.get("files")!);
    await read((names) => names.databases());
    const objects = await read(files);
    const other = new KnownServerNames(tables, "sample", "mindsdb");
    assert.ok(files(other) === objects);
  });

  it("have columns only after somebody has asked for them", async () => {
    const peek = () =>
      new KnownServerNames(tables, "sample", undefined).columns(
        "table",
        ["files", "home_rentals"],
        false,
      );
    assert.equal(peek(), undefined);
    assert.deepEqual(server.asked, []);
    assert.ok((await columnsOf("table", "files", "home_rentals")).includes("sqft"));
    assert.ok(peek()?.has("sqft"));
  });

  it("know the types of columns, as the data source declares them", () => {
    // The sample server has no such source. The types are those that 26.1.0 gives for PostgreSQL.
    const types = { id: "int", Days: "bigint", amount: "decimal(10,NUMERIC_SCALE)", name: "text" };
    const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
    const peekColumns = (_id: string, [, table]: string[]) =>
      table === "loans" ? columns : undefined;
    const known = new KnownServerNames({ peekColumns } as never, "sample", undefined);
    assert.deepEqual(
      [...known.types(["shop", "loans"])],
      [
        ["id", "int"],
        ["days", "bigint"],
        ["amount", "decimal(10,numeric_scale)"],
        ["name", "text"],
      ],
    );
    assert.deepEqual([...known.types(["shop", "unasked"])], []);
  });

  it("know what comes too late in the query of a view, once somebody has asked", async () => {
    const client = await server.servers.client("sample");
    const query = "SELECT * FROM files.home_rentals LIMIT 5";
    await createView(client, { project: "mindsdb", name: "first", query });
    const known = () => new KnownServerNames(tables, "sample", undefined);
    assert.equal(known().lateClause(["mindsdb", "first"], false), undefined);
    assert.equal(await read((names) => names.lateClause(["mindsdb", "first"], true)), "LIMIT");
    assert.equal(known().lateClause(["mindsdb", "affordable_homes"], false), undefined);
  });

  it("have the columns of a knowledge base, and what its conditions can name", async () => {
    const columns = await columnsOf("knowledge_base", "mindsdb", "rental_guide");
    for (const name of ["id", "chunk_content", "content", "relevance", "hybrid_search"]) {
      assert.ok(columns.includes(name), name);
    }
  });

  it("have the name of a knowledge base's ids for rows that it gets, not for conditions", () => {
    const found = [
      { name: "guide", contentColumns: ["body"], metadataColumns: ["city"], idColumn: "nr" },
      { name: "open", contentColumns: ["body"], metadataColumns: [], idColumn: "nr" },
    ];
    const known = new KnownServerNames({ peekKnowledgeBases: () => found } as never, "s", "p");
    const columnsIn = (type: string, name: string) => known.columns(type, ["p", name], false);
    const [rows, read] = [rowsOfKnowledgeBase, "knowledge_base"].map(
      (type) => new Set(columnsIn(type, "guide")?.keys()),
    );
    const names = ["nr", "id", "body", "city", "hybrid_search"];
    assert.deepEqual(
      names.filter((name) => rows!.has(name)),
      ["nr", "id", "body", "city"],
    );
    assert.deepEqual(
      names.filter((name) => read!.has(name)),
      ["id", "body", "city", "hybrid_search"],
    );
    assert.equal(columnsIn(rowsOfKnowledgeBase, "open"), undefined);
  });

  it("are of no more than 20 projects and data sources", async () => {
    await read((names) => names.databases());
    const known = new KnownServerNames(tables, "sample", undefined);
    for (let count = 0; count < 30; count++) {
      known.objects({ name: `made${String(count)}`, kind: "data", hasAllColumns: true });
    }
    // Asked for after them.
    await tables.columns("sample", ["files", "home_rentals"]);
    assert.equal(server.asked.filter((path) => path.startsWith("/api/tree/")).length, 20);
  });
});
