// The draft of a training: its options, its problems, and the statements that it becomes.
import assert from "node:assert/strict";
import fc from "fast-check";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { singleSelect } from "../../../src/mindsdb/sql/singleSelect.ts";
import { kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import {
  createModelStatement,
  finetuneStatement,
  retrainStatement,
} from "../../../src/mindsdb/training.ts";
import {
  emptyTrainDraft,
  omitTypedKeys,
  tableEntry,
  type TrainDraft,
} from "../../../src/models/trainDraft.ts";
import {
  formatOptions,
  listKeys,
  parseOptions,
  withPlaceholders,
} from "../../../src/models/optionLines.ts";
import { selectOfDraft } from "../../../src/models/trainSelect.ts";
import { findTrainingProblem, validateTraining } from "../../../src/models/trainValidation.ts";

const filled: TrainDraft = {
  ...emptyTrainDraft("mindsdb"),
  name: "rents",
  table: "files.home_rentals",
  target: "price",
  engine: "lightwood",
};
const problems = (draft: Partial<TrainDraft>, known = {}) =>
  validateTraining("create", { ...filled, ...draft }, known).map(({ text }) => text);

describe("The draft of a training", () => {
  it("reads options as they stand behind USING", () => {
    const text = "window = 10\n\nnote = 'it''s'\nraw = plain text\nflag = true,\nlist = [1, \"a\"]";
    assert.deepEqual(
      [...parseOptions(text).options],
      [
        ["window", 10],
        ["note", "it's"],
        ["raw", "plain text"],
        ["flag", true],
        ["list", [1, "a"]],
      ],
    );
    assert.equal(parseOptions("window 10").wrong, "window 10");
    assert.equal(parseOptions("a b = 1").wrong, "a b = 1");
    assert.equal(parseOptions("x = -1").notExpressible, "x = -1");
    assert.equal(parseOptions('x = {"a": -1}').notExpressible, 'x = {"a": -1}');
  });

  it("writes options as it reads them", () => {
    const value = fc.oneof(fc.nat(1e6), fc.boolean(), fc.stringMatching(/^[\w ,.]{1,12}$/));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z]\w{0,8}$/), value)), (entries) => {
        const options = new Map(entries);
        assert.deepEqual(parseOptions(formatOptions(options)).options, options);
      }),
    );
  });

  const openSesame = "open-sesame-1234567890";
  const keyOptions = [
    ["openai_api_key = VALUE", "openai_api_key =", 'openai_api_key = "<your API key>"'],
    ["  apiKey='VALUE',", "apiKey =", 'apiKey = "<your API key>"'],
    [
      "parameters.password = VALUE",
      "parameters.password =",
      'parameters.password = "<your API key>"',
    ],
    [
      'args = {"timeout": 5, "headers": {"authorization": "VALUE"}}',
      "args =",
      'args = {"timeout":5,"headers":{"authorization":"<your API key>"}}',
    ],
    ["note = Authorization: Bearer VALUE", "note =", 'note = "<your API key>"'],
    ["base_url = https://me:VALUE@a.b/v1", "base_url =", 'base_url = "<your API key>"'],
    ["window = 10", "window = 10", "window = 10"],
    ["max_tokens = 100", "max_tokens = 100", "max_tokens = 100"],
    ["tokenizer = words", "tokenizer = words", "tokenizer = words"],
  ];

  it("stores no key that was typed among its options", () => {
    for (const [typed = "", stored = ""] of keyOptions) {
      const options = typed.replace("VALUE", openSesame);
      const kept = omitTypedKeys({ ...filled, options: `a = 1\n${options}\nz = 2` });
      assert.equal(kept.options, `a = 1\n${stored}\nz = 2`);
      assert.deepEqual(omitTypedKeys(kept), kept);
    }
    const looks = `x = sk-proj-${"aB3".repeat(12)}\nsk-proj-${"aB3".repeat(12)}`;
    assert.equal(omitTypedKeys({ ...filled, options: looks }).options, "x =\n");
    assert.deepEqual(problems({ options: "openai_api_key =" }), [
      "Enter a value for openai_api_key. Keys you enter are not stored.",
    ]);
  });

  it("has placeholders for keys in the statement that is copied", () => {
    for (const [typed = "", stored = "", copied = ""] of keyOptions) {
      const options = typed.replace("VALUE", openSesame);
      assert.equal(withPlaceholders(options), copied);
      assert.equal(parseOptions(copied).notExpressible, undefined);
      if (/key/i.test(stored)) assert.equal(withPlaceholders(stored), copied);
    }
  });

  it("tells which of its options are keys", () => {
    const options = keyOptions
      .slice(0, 4)
      .map(([typed = ""], at) => typed.replace("VALUE", `key ${String(at)}`));
    const named = [...options, "window = 10", "max_tokens = 100"].join("\n");
    assert.deepEqual(listKeys(named), ["key 0", "key 1", "key 2", "key 3"]);
  });

  it("says what is wrong before anything is sent", () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ name: " ", table: "", target: "", engine: "" }), [
      "Enter a name.",
      "Select a table.",
      "Select the column to predict.",
      "Select an engine.",
    ]);
    assert.deepEqual(problems({ name: "Rents" }, { items: [{ name: "RENTS", type: "view" }] }), [
      "This project has a view named RENTS. Choose another name.",
    ]);
    assert.deepEqual(problems({ target: "cost" }, { columns: ["price"] }), [
      "The training rows have no column cost.",
    ]);
    const select = (text: string) => problems({ source: "select", select: text }).join();
    assert.match(select("SELECT 1; SELECT 2"), /exactly one SELECT/);
    assert.match(select("DROP TABLE t"), /exactly one SELECT/);
    assert.match(select("SELECT * FROM files (DROP TABLE t)"), /may change data/);
    assert.deepEqual(problems({ options: "engine = x" }), [
      "engine has a field of its own in this form.",
    ]);
  });

  it("finds the field of a server's refusal", () => {
    const field = (message: string) =>
      findTrainingProblem(new AppError("sql", message), filled)?.field;
    assert.equal(field("Model already exists: mindsdb.rents"), "name");
    assert.equal(field("There is no engine 'lightwood'"), "engine");
    assert.equal(field("Project does not exist: mindsdb"), "project");
    assert.equal(field("Database does not exist: mindsdb"), "project");
    assert.equal(field("Something else"), "form");
    const text = (message: string) =>
      findTrainingProblem(new AppError("sql", message), filled)?.text ?? "";
    assert.match(text("Predictor not found: name='rents' id='-'"), /It may have been deleted\.$/);
    assert.match(text("Can't find suitable base model"), /has no trained version/);
    assert.equal(findTrainingProblem(new AppError("signInNeeded", ""), filled), undefined);
  });

  it("becomes statements with quoted names", () => {
    const select = selectOfDraft(filled) ?? "";
    assert.equal(select, "SELECT * FROM `files`.`home_rentals`");
    const model = { project: "my project", name: "rents", select, target: "the price" };
    assert.equal(
      createModelStatement({ ...model, engine: "lightwood", options: new Map([["tag", "it's"]]) }),
      "CREATE MODEL `my project`.`rents`\nFROM `my project` (SELECT * FROM `files`.`home_rentals`)\n" +
        "PREDICT `the price`\nUSING engine = 'lightwood',\n  tag = 'it''s'",
    );
    assert.equal(
      retrainStatement({ project: "p", name: "m", activates: false }),
      "RETRAIN `p`.`m`\nUSING active = 0",
    );
    assert.equal(retrainStatement({ project: "p", name: "m" }), "RETRAIN `p`.`m`");
    assert.equal(
      finetuneStatement({ project: "p", name: "m", version: 2, select: "SELECT 1 -- all\n;" }),
      "FINETUNE `p`.`m`.`2`\nFROM `p` (SELECT 1)",
    );
    assert.throws(
      () => retrainStatement({ project: "p", name: "5" }),
      /reads a number as a version/,
    );
    assert.equal(tableEntry({ project: "pg", name: "public.a" }), "pg.public.a");
  });

  it("never lets a SELECT leave its parentheses, and counts as a write", () => {
    const part = fc.constantFrom(
      "SELECT 1",
      ")",
      "(",
      ";",
      "--",
      "/*",
      "*/",
      "'",
      "`",
      "\n",
      " ",
      "DROP",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const select = singleSelect(parts.join(""));
        if (select === undefined) return;
        const model = { project: "p", name: "m", select, target: "y", engine: "e" };
        const statement = createModelStatement(model);
        assert.equal(kindOfSql(statement), "write");
        let depth = 0;
        for (const mark of select.replace(/'[^']*'|`[^`]*`|--.*|\/\*[^]*?\*\//g, "")) {
          depth += mark === "(" ? 1 : mark === ")" ? -1 : 0;
          assert.ok(depth >= 0, select);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
