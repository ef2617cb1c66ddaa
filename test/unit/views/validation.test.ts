import assert from "node:assert/strict";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { findViewProblem, validateView } from "../../../src/views/validation.ts";
import type { ViewDraft } from "../../../src/views/viewDraft.ts";
import { itFinds, type ProblemCase } from "../problemCases.ts";

const draft: ViewDraft = { project: "shop", name: "cheap", query: "SELECT 1 AS a" };
const choices = {
  projects: ["shop", "other"],
  items: [
    { project: "shop", name: "Homes", type: "view" },
    { project: "shop", name: "helper", type: "agent" },
    { project: "shop", name: "nightly", type: "job" },
    { project: "other", name: "cheap", type: "agent" },
  ],
};

describe("the draft of a view", () => {
  const cases: ProblemCase<ViewDraft>[] = [
    [{}],
    [{ query: "-- why\nSELECT 1 AS a -- end\n;" }],
    [{ name: "" }, /^name: Enter a name\./],
    [{ name: "homes" }, /^name: This project has a view named Homes\./],
    [{ name: "helper" }, /^name: This project has an agent named helper\./],
    // Jobs have names of their own.
    [{ name: "nightly" }],
    [{ name: "Cheap Ones" }, /^name: SQL can't find a view by this name\. Try cheap_ones\./],
    [{ query: " " }, /^query: Enter a SELECT statement\./],
    [{ query: "DROP TABLE files.homes" }, /^query: Enter exactly one SELECT statement\./],
    [{ query: "SELECT 1; SELECT 2" }, /^query: Enter exactly one SELECT statement\./],
    [
      { query: "SELECT * FROM pg (DELETE FROM t)" },
      /^query \(warning\): This statement may change data\./,
    ],
  ];
  itFinds(cases, (changed) => validateView({ ...draft, ...changed }, choices, true));

  it("of a view that is changed keeps its name, whatever it is", () => {
    assert.deepEqual(validateView({ ...draft, name: "Homes" }, choices, false), []);
  });

  it("shows what the server refuses at the field that caused it", () => {
    const fieldOf = (error: AppError) => findViewProblem(error, draft)?.field;
    assert.equal(fieldOf(new AppError("conflict", "Name conflict")), "name");
    const twice = "(sqlite3.IntegrityError) UNIQUE constraint failed: view.name, view.company_id";
    assert.equal(fieldOf(new AppError("serverFault", twice)), "name");
    assert.equal(fieldOf(new AppError("notFound", "Project with name shop")), "project");
    assert.equal(fieldOf(new AppError("serverFault", "Table 'x' not found")), "query");
    const unset = new AppError("serverFault", "Parameter is not set: least");
    assert.deepEqual(findViewProblem(unset, draft), {
      field: "query",
      text: "A view can't have parameters. Replace :least with a value.",
    });
    assert.equal(fieldOf(new AppError("signInNeeded", "Sign in")), undefined);
  });
});
