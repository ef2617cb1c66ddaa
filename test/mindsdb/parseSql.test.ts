// The verdict of our parser, and the place of the first error, compared with those of MindsDB's own parser, which is the
// same in all versions.
import assert from "node:assert/strict";
import { installMindsDB, VERSIONS } from "../../scripts/mindsdb/install.ts";
import { parseSql } from "../../src/mindsdb/sql/parser/parseSql.ts";
import { DialectMaker } from "./dialectStatements.ts";
import { findPlaces, readServerGrammar } from "./sqlOracle.ts";

const count = Number(process.env["STATEMENTS"] ?? 20_000);

describe(`the places of errors in ${count} statements`, () => {
  it("are those of the server", async function () {
    this.timeout(10 * 60_000);
    const [version] = VERSIONS;
    const python = await installMindsDB(version);
    const maker = new DialectMaker(
      Number(process.env["SEED"] ?? 1),
      await readServerGrammar(python),
    );
    const statements = Array.from({ length: count }, () => maker.make());
    const places = await findPlaces(python, statements);
    const differences = statements.flatMap((sql, at) => {
      const own = placeOf(sql);
      return own === places[at] ? [] : [{ sql, own, server: places[at] }];
    });
    assert.deepEqual(differences.slice(0, 20), [], `${differences.length} differences`);
    // Otherwise the statements prove little.
    const isKind = (kind: unknown) => places.filter((place) => place === kind).length > count / 100;
    assert.ok(isKind(true) && isKind("end") && isKind("rule"));
  });
});

function placeOf(sql: string): true | number | "end" | "rule" {
  const { problem } = parseSql(sql);
  if (!problem) return true;
  return problem.kind === "token" || problem.kind === "character" ? problem.start : problem.kind;
}
