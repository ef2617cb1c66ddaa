// The tables of a statement, compared with those that MindsDB's own parser finds. The parser is the same in all versions.
import assert from "node:assert/strict";
import { installMindsDB, VERSIONS } from "../../scripts/mindsdb/install.ts";
import { findTables, kindOfSql } from "../../src/mindsdb/sql/statementKind.ts";
import { askOracle, type OracleVerdict } from "./sqlOracle.ts";
import { StatementMaker } from "./tableStatements.ts";

const count = 100_000;

describe("tables of 100,000 statements", () => {
  let statements: string[];
  let verdicts: OracleVerdict[];

  before("ask the parser", async function () {
    this.timeout(10 * 60_000);
    const maker = new StatementMaker(Number(process.env["SEED"] ?? 1));
    statements = Array.from({ length: count }, () => maker.make());
    const [version] = VERSIONS;
    verdicts = await askOracle(await installMindsDB(version), statements);
  });

  it("are statements of all kinds", () => {
    const accepted = verdicts.filter(({ verdict }) => verdict !== "refused");
    const reads = accepted.filter(({ verdict }) => verdict === "read");
    const named = accepted.flatMap(({ tables }) => tables);
    assert.ok(accepted.length > count / 3, String(accepted.length));
    assert.ok(reads.length > count / 10, String(reads.length));
    assert.ok(named.length > count / 2, String(named.length));
    const sure = statements.filter((sql, at) => {
      return verdicts[at]!.verdict !== "refused" && findTables(sql).isSure;
    });
    // Otherwise nothing would be missed because nothing is sure.
    assert.ok(sure.length > accepted.length / 3, `${sure.length} of ${accepted.length}`);
  });

  it("are all found, unless it is said that some may not be", () => {
    const missed = statements.filter((sql, at) => {
      const { tables, isSure } = findTables(sql);
      if (!isSure) return false;
      const found = new Set(tables.flatMap(({ readings }) => readings.map(keyOf)));
      return verdicts[at]!.tables.some((name) => name === null || !found.has(keyOf(name)));
    });
    assert.deepEqual(missed.slice(0, 5), [], `${missed.length} missed`);
  });

  it("are in no change that is called a read", () => {
    const reads = new Set(["refused", "read", "costs"]);
    const missed = statements.filter(
      (sql, at) => !reads.has(verdicts[at]!.verdict) && kindOfSql(sql) !== "write",
    );
    assert.deepEqual(missed.slice(0, 5), [], `${missed.length} called reads`);
  });
});

/** A name as it is compared: without case, and without the version of a model at its end. */
function keyOf(name: readonly string[]): string {
  const isVersioned = name.length > 1 && /^\d+$/.test(name.at(-1)!);
  return JSON.stringify(isVersioned ? name.slice(0, -1) : name).toLowerCase();
}
