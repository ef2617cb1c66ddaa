import assert from "node:assert/strict";
import { createFinder } from "../../../src/agents/host/serverCatalog.ts";
import { assertLinear } from "../../linearTime.ts";

const listTables = (count: number) => Array.from({ length: count }, (_, at) => ["pg", `t${at}`]);

describe("the tables that an agent's entries match", () => {
  it("are found by name, with or without a schema, and by pattern", () => {
    const items = [
      ["pg", "public", "Orders"],
      ["pg", "old", "orders"],
      ["pg", "users"],
    ];
    const find = createFinder([
      { owner: "PG", items },
      { owner: "slow", items: undefined },
    ]);
    const [first, second, third] = items;
    assert.deepEqual(find("pg.orders"), [first, second]);
    assert.deepEqual(find("pg.OLD.orders"), [second]);
    assert.deepEqual(find("pg.*"), [first, second, third]);
    assert.deepEqual(find("pg.u?ers"), [third]);
    assert.deepEqual(find("pg.none"), []);
    assert.equal(find("slow.users"), undefined);
    assert.equal(find("other.users"), undefined);
    assert.equal(find("users"), undefined);
  });

  for (const [name, makeEntries, items] of [
    ["names", (size) => listTables(size).map((parts) => parts.join(".")), listTables],
    ["patterns", (size) => listTables(size).map((parts) => `${parts.join(".")}*`), listTables],
    [
      "tables of the same name",
      (size) => Array.from({ length: size }, (_, at) => `pg.s${at}.t`),
      (size) => Array.from({ length: size }, (_, at) => ["pg", `s${at}`, "t"]),
    ],
  ] as [string, (size: number) => string[], (size: number) => string[][]][]) {
    it(`are found in linear time: ${name}`, () => {
      assertLinear({
        name,
        make: (size) => ({ entries: makeEntries(size), items: items(size) }),
        run: ({ entries, items }) => {
          const find = createFinder([{ owner: "pg", items }]);
          return entries.map((entry) => find(entry));
        },
        size: 2_000,
        floorMs: 2_000,
      });
    });
  }
});
