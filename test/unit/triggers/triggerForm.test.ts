// The draft of a trigger: what keeps it from being sent, and what the server refuses.
import assert from "node:assert/strict";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { splitColumns, type TriggerDraft } from "../../../src/triggers/triggerDraft.ts";
import { findTriggerProblem, validateTrigger } from "../../../src/triggers/validation.ts";
import { itFinds, type ProblemCase } from "../problemCases.ts";

const draft: TriggerDraft = {
  project: "p",
  name: "on_orders",
  table: "shop.orders",
  columns: "",
  query: "INSERT INTO files.log (SELECT * FROM TABLE_DELTA)",
};
const choices = {
  projects: ["p"],
  triggers: [{ project: "p", name: "First", table: "shop.customers" }],
  sources: [
    { name: "shop", engine: "postgres" },
    { name: "files", engine: "files" },
  ],
};

describe("the draft of a trigger", () => {
  const cases: ProblemCase<TriggerDraft>[] = [
    [{}],
    [{ columns: "status, total" }],
    [{ name: "" }, /^name: Enter a name\./],
    [{ name: "first" }, /^name: This project has a trigger named first\./],
    [{ name: "On Orders" }, /^name: SQL can't find a trigger by this name\. Try on_orders\./],
    [{ table: "" }, /^table: Select a table\./],
    [{ table: "p.a_view" }, /^table: p\.a_view is not a table of a data source\./],
    [
      { table: "files.t" },
      /^table \(warning\): The server may refuse this table.+this table is files\./,
    ],
    [{ table: "shop.Orders" }, /^table: The server can't watch Orders/],
    [{ table: "shop.public.orders" }],
    [
      { table: "shop.sales.orders" },
      /^table \(warning\): The server looks for orders in .+ sales\./,
    ],
    [{ table: "shop.public.customers" }, /^table \(warning\): Another trigger may watch/],
    [{ table: "shop.customers" }, /^table \(warning\): Another trigger may watch this table/],
    [{ table: "shop.customers", columns: "name" }],
    [{ columns: "a, B" }, /^columns: The server can't watch B/],
    [{ query: "" }, /^query: Enter a statement\./],
    [{ query: "SELECT 1; SELECT * FROM TABLE_DELTA" }, /^query: Enter exactly one statement/],
    [{ query: "SELECT 1) (SELECT * FROM TABLE_DELTA" }, /^query: Enter exactly one/],
    [{ query: "SELECT * FROM table_delta" }, /^query: Write TABLE_DELTA in capital letters\./],
    [
      { query: "SELECT * FROM TABLE_DELTA WHERE id > :id" },
      /^query \(warning\): The server has no value for :id\./,
    ],
    [{ query: "SELECT 'TABLE_DELTA'" }, /^query \(warning\): The statement does not read the row/],
  ];
  itFinds(cases, (changed) => validateTrigger({ ...draft, ...changed }, choices));

  it("has columns between commas", () => {
    assert.deepEqual(splitColumns(" a, b ,,c "), ["a", "b", "c"]);
    assert.deepEqual(splitColumns(" "), []);
  });

  it("shows what the server refuses at the field that caused it", () => {
    const fieldOf = (text: string) => findTriggerProblem(new AppError("sql", text), draft)?.field;
    assert.equal(fieldOf("Trigger already exists: on_orders"), "name");
    assert.equal(fieldOf("Handler files doest support subscription"), "table");
    assert.equal(fieldOf("Table orders not found in shop"), "table");
    assert.equal(fieldOf("There is no integration with name 'shop': unknown"), "table");
    assert.equal(fieldOf("Project not found: p: unknown"), "project");
    assert.equal(fieldOf("Unable to parse: SELECT FROM: Syntax error"), "query");
    assert.equal(fieldOf("connection failed"), "form");
    assert.equal(findTriggerProblem(new AppError("signInNeeded", "Sign in"), draft), undefined);
  });
});
