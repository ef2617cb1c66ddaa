import assert from "node:assert/strict";
import { listTableColumns, typeOfValues } from "../../../src/mindsdb/tables.ts";
import { clientOf } from "./scriptedServer.ts";

describe("The columns of a table", () => {
  const sent: string[] = [];
  const client = clientOf({
    "/api/sql/query": (query: string) => {
      sent.push(query);
      return { type: "table", column_names: ["a"], data: [[1]] };
    },
  });
  const cases: [name: string, requests: number][] = [
    ["orders", 2],
    ["Größe in m²", 2],
    ["t; DROP TABLE t", 1],
    ["t'; DROP TABLE t; --", 1],
    ["f(1)", 1],
  ];
  for (const [name, requests] of cases) {
    it(`take ${requests} requests for ${name}: the server would not quote a name that is SQL`, async () => {
      sent.length = 0;
      const columns = await listTableColumns(client, ["duck", name]);
      assert.deepEqual(columns, [{ name: "a", type: "number" }]);
      assert.equal(sent.length, requests, sent.join("\n"));
    });
  }
});

describe("The declared types of columns", () => {
  const typesFor = async (declared: string[]): Promise<(string | undefined)[]> => {
    const names = declared.map((_, at) => `c${at}`);
    const types = names.map((name, at) => [name, declared[at]]);
    const client = clientOf({
      "/api/sql/query": (query: string) =>
        query.startsWith("SHOW")
          ? { type: "table", column_names: ["Field", "Type"], data: types }
          : { type: "table", column_names: names, data: [names.map(() => 1)] },
    });
    return (await listTableColumns(client, ["shop", "t"])).map(({ type }) => type);
  };

  it("have no word of the server in place of a number", async () => {
    assert.deepEqual(await typesFor(["decimal(10,NUMERIC_SCALE)", "decimal(10,2)", "int"]), [
      "decimal",
      "decimal(10,2)",
      "int",
    ]);
  });

  it("are those of the values where the server gives all columns one type, as it does for views", async () => {
    assert.deepEqual(await typesFor(["varchar(1024)", "varchar(1024)"]), ["number", "number"]);
    assert.deepEqual(await typesFor(["varchar(1024)", "int"]), ["varchar(1024)", "int"]);
  });
});

describe("The type of a column's values", () => {
  const long = "1498392753700442114";
  const cases: [values: unknown[], type: string | undefined][] = [
    [[1, null, 2.5], "number"],
    [["a", "5"], "text"],
    [[1, "a"], "mixed"],
    [[null, undefined], undefined],
    [[5, long], "number"],
    [[long, null], "number"],
    [["-9007199254740993", 0.5], "number"],
    [[long, "5"], "text"],
    [[long, "a", 1], "mixed"],
    [["2024010112000000"], "text"],
  ];
  for (const [values, type] of cases) {
    it(`is ${String(type)} for ${JSON.stringify(values)}, whole numbers beyond 2^53 being texts`, () => {
      assert.equal(typeOfValues(values), type);
    });
  }
});
