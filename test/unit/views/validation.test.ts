import assert from "node:assert/strict";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { findViewProblem, validateView } from "../../../src/views/validation.ts";
import type { ViewDraft } from "../../../src/views/viewDraft.ts";

const draft: ViewDraft = { project: "shop", name: "cheap", query: "SELECT 1 AS a" };
const choices = {
  projects: ["shop", "other"],
  items: [
    { project: "shop", name: "Homes", type: "view" },
    { project: "shop", name: "helper", type: "agent" },
    { project: "shop", name: "guide", type: "knowledge_base" },
    { project: "shop", name: "Rents", type: "model" },
    { project: "shop", name: "nightly", type: "job" },
    { project: "other", name: "cheap", type: "agent" },
  ],
};

describe("the draft of a view", () => {
  const cases: [changed: Partial<ViewDraft>, problem: RegExp | undefined][] = [
    [{}, undefined],
    [{ query: "-- why\nSELECT 1 AS a -- end\n;" }, undefined],
    [{ name: "" }, /^name: Enter a name\./],
    [{ name: "homes" }, /^name: This project has a view named Homes\./],
    [{ name: "helper" }, /^name: This project has an agent named helper\./],
    [{ name: "guide" }, /^name: This project has a knowledge base named guide\./],
    [{ name: "rents" }, /^name: This project has a model named Rents\./],
    // Jobs have names of their own.
    [{ name: "nightly" }, undefined],
    [{ name: "Cheap Ones" }, /^name: SQL can't find a view by this name\. Try cheap_ones\./],
    [{ query: " " }, /^query: Enter a SELECT statement\./],
    [{ query: "DROP TABLE files.homes" }, /^query: Enter exactly one SELECT statement\./],
    [{ query: "SELECT 1; SELECT 2" }, /^query: Enter exactly one SELECT statement\./],
    [{ query: "SELECT * FROM pg (DELETE FROM t)" }, /^query: This statement may change data\./],
  ];
  for (const [changed, expected] of cases) {
    it(`${JSON.stringify(changed)} has ${expected ? "its problem" : "none"}`, () => {
      const [problem, ...more] = validateView({ ...draft, ...changed }, choices, true);
      assert.deepEqual(more, []);
      if (expected) assert.match(`${problem?.field}: ${problem?.text}`, expected);
      else assert.equal(problem, undefined);
    });
  }

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
