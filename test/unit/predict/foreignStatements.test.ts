import assert from "node:assert/strict";
import {
  findForeignStatements,
  holdsForeignStatement,
} from "../../../src/predict/notebook/foreignStatements.ts";
import { assertLinear } from "../../linearTime.ts";

describe("statements that came from files", () => {
  const file = [
    "INSERT INTO files.a VALUES (1)",
    "SELECT * FROM files.a; update files.a set x = 1",
    "SELECT * FROM duck (SELECT 1)",
    'CREATE VIEW "open',
  ];
  const foreign = new Set(file.flatMap(findForeignStatements));
  const holds = (text: string): boolean => holdsForeignStatement(text, foreign);

  it("are found again whatever blanks, comments and statements are put around them", () => {
    for (const text of [
      ...file,
      "insert into b values (2);\nINSERT  INTO files.a /* mine */ VALUES(1); -- x",
      "SELECT 1; update files.a set x=1",
      "SELECT * FROM (SELECT * FROM duck(SELECT 1))",
      ' CREATE  VIEW\n"open',
    ]) {
      assert.ok(holds(text), text);
    }
  });

  it("are not seen in other statements, nor in what only reads", () => {
    for (const text of [
      "INSERT INTO files.a VALUES (2)",
      "update files.a set x = 12",
      "SELECT * FROM duck (SELECT 2)",
      "CREATE TABLE files.b (SELECT * FROM files.a)",
      "INSERT INTO files.b VALUES ('update files.a set x = 1')",
    ]) {
      assert.ok(!holds(text), text);
    }
  });

  it("are taken as there in a text that takes long to search", () => {
    const many = new Set(
      Array.from({ length: 20_000 }, (_, at) => ` DROP  TABLE  t${String(at)} `),
    );
    const long = `INSERT INTO t VALUES ('${"x".repeat(10_000)}')`;
    assert.equal(holdsForeignStatement(long, many), true);
    assert.equal(holdsForeignStatement("INSERT INTO t VALUES (1)", many), false);
  });

  it("are looked for in linear time, also in a text that repeats itself", () => {
    const make = (size: number) => {
      const words = "a ".repeat(size);
      return {
        foreign: new Set(findForeignStatements(`${words} b ${words}`)),
        text: words.repeat(3),
      };
    };
    const run = ({ foreign, text }: ReturnType<typeof make>) =>
      assert.equal(holdsForeignStatement(text, foreign), false);
    assertLinear({ name: "repeated words", make, run, size: 8_000, floorMs: 150 });
  });

  it("are looked for in linear time, in names and texts that look like SQL, too", () => {
    for (const words of ["for ", "update ", "for update ", "into-", "for\n"]) {
      for (const write of [
        (text: string) => `SELECT \`${text}\` FROM files.a`,
        (text: string) => `SELECT a AS '${text}' FROM files.a`,
        (text: string) => `SELECT * FROM files.a WHERE a = 'it''s' AND b = '${text}'`,
      ]) {
        const make = (size: number): string => write(words.repeat(size / words.length));
        assertLinear({ name: write(words), make, run: findForeignStatements });
      }
    }
  });
});
