// The names of a server that completion in SQL offers, as far as they are known.
import assert from "node:assert/strict";
import * as grammar from "../../../src/mindsdb/sql/parser/caretPosition.ts";
import { completeSql } from "../../../src/predict/completion/completeSql.ts";
import { KnownModels } from "../../../src/predict/host/knownModels.ts";
import { KnownNames } from "../../../src/predict/host/knownNames.ts";
import { KnownTables } from "../../../src/predict/host/knownTables.ts";
import { millisecondsOf } from "../../linearTime.ts";
import { useRecordedServer } from "./recordClient.ts";

describe("the names known for completion in SQL", () => {
  const server = useRecordedServer();
  let models: KnownModels;
  let tables: KnownTables;

  beforeEach(() => {
    models = new KnownModels(server.servers, () => true);
    tables = new KnownTables(server.servers, () => true);
  });

  /** Reads names until nothing is pending. */
  async function read<T>(names: (known: KnownNames) => T, project?: string): Promise<T> {
    for (;;) {
      const known = new KnownNames(models, tables, "sample", project);
      const found = names(known);
      if (known.pending.length === 0) return found;
      await Promise.all(known.pending);
    }
  }

  it("are empty until the server has answered", async () => {
    const known = new KnownNames(models, tables, "sample", undefined);
    assert.deepEqual(known.databases(), []);
    assert.equal(known.pending.length, 1);
    const databases = await read((names) => names.databases());
    assert.ok(databases.some(({ name, isProject }) => name === "mindsdb" && isProject));
    assert.ok(databases.some(({ name, isProject }) => name === "files" && !isProject));
  });

  it("are found in little time among very many, for each table of a statement", () => {
    const sources = Array.from({ length: 100_000 }, (_, n) => ({ name: `s${n}`, kind: "data" }));
    const listed = Array.from({ length: 100_000 }, (_, n) => ({ name: `t${n}` }));
    const large = {
      knowSources: () => ({ value: sources, at: 0 }),
      knowTables: () => ({ value: listed, at: 0 }),
      knowColumns: () => ({ value: [{ name: "c" }], at: 0 }),
    } as unknown as KnownTables;
    const known = new KnownNames(models, large, "sample", undefined);
    const ms = millisecondsOf(() => {
      for (let n = 0; n < 1_000; n++) {
        assert.equal(known.columns(["S99999", `T${99_999 - n}`]).length, 1);
        assert.equal(known.columns(["z99999", "t1"]).length, 0);
      }
    });
    assert.ok(ms < 2_000, String(ms));
  });

  it("are listed once, since each table of a statement looks for its own", async () => {
    await read((names) => names.databases());
    const known = new KnownNames(models, tables, "sample", undefined);
    assert.equal(known.databases(), known.databases());
  });

  it("are those of projects and data sources, each asked for once", async () => {
    const objects = await read((names) => names.objects("MindsDB"));
    const types = new Map(objects.map(({ name, type }) => [name, type]));
    assert.equal(types.get("rental_agent"), "agent");
    assert.equal(types.get("rental_guide"), "knowledge_base");
    assert.equal(types.get("home_rentals_model"), "model");
    assert.deepEqual(
      (await read((names) => names.objects("files"))).find(({ name }) => name === "home_rentals"),
      { name: "home_rentals", schema: undefined, type: "table" },
    );
    assert.deepEqual(await read((names) => names.objects("nowhere")), []);
    assert.deepEqual(server.asked, [
      "/api/databases/",
      "/api/tree/mindsdb",
      "/api/tree/files?all_schemas=true",
    ]);
  });

  it("have the columns of their kind", async () => {
    for (const [path, column] of [
      [["files", "HOME_RENTALS"], "number_of_rooms"],
      [["mindsdb", "rental_agent"], "question"],
      [["mindsdb", "rental_guide"], "chunk_content"],
      [["mindsdb", "home_rentals_model"], "rental_price"],
      [["mindsdb", "home_rentals_model", "1"], "rental_price"],
    ] as const) {
      const columns = await read((names) => names.columns(path));
      assert.ok(
        columns.some(({ name }) => name === column),
        path.join("."),
      );
    }
    // Neither agents nor models are read, and nothing that is not there.
    const statements = server.asked.filter((request) => request.includes("sql/query")).length;
    assert.deepEqual(await read((names) => names.columns(["files", "home_rental"])), []);
    assert.equal(
      server.asked.filter((request) => request.includes("sql/query")).length,
      statements,
    );
  });

  it("are offered once they are known", async () => {
    const sql = "SELECT  FROM home_rentals_model, files.home_rentals";
    const completion = await read((names) => completeSql(sql, "SELECT ".length, grammar, names));
    const labels = new Set(completion?.suggestions.map(({ label }) => label));
    assert.ok(labels.has("number_of_rooms") && labels.has("home_rentals_model"));
  });

  it("without a database are those of the last USE, or of the default project", async () => {
    assert.equal(await read((names) => names.defaultDatabase), "mindsdb");
    assert.equal(await read((names) => names.defaultDatabase, "files"), "files");
  });
});
