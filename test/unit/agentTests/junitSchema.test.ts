// Reports of agent tests, checked by a schema of the XML that CI systems read.
import assert from "node:assert/strict";
import fs from "node:fs";
import { validateXML } from "xmllint-wasm";
import { toJUnitXml, type ReportedTest } from "../../../src/agentTests/runs/junitXml.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";

/** JUNIT_XSD takes another schema, such as the one of a CI system. */
const schemaFile =
  process.env["JUNIT_XSD"] ??
  new URL("../../fixtures/agentTests/junit.xsd", import.meta.url).pathname;
const schema = fs.readFileSync(schemaFile, "utf8");

async function findProblems(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: xml }],
    schema,
  });
  return errors.map(({ message }) => message);
}

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`;

const test = (name: string, more: Partial<ReportedTest> = {}): ReportedTest => {
  return { file: "a.yaml", name, state: "passed", tookMs: 1_234, messages: [], ...more };
};

describe("JUnit XML, checked by a CI system's schema,", () => {
  it("is valid with tests of every state, without any, and with searches", async () => {
    const hostile = '<&>"]]>\0\u001b\uD800\uFFFE\r\n\t😀';
    const reports: ReportedTest[][] = [
      [],
      [
        test("one"),
        test("two", { state: "failed", messages: ["Expected: x\nmore", "y"] }),
        test("three", { state: "error", messages: ["Not run: x"] }),
        test("four", { state: "error" }),
      ],
      [test("one", { reciprocalRank: 0.5 }), test("two", { file: "b.yaml", tookMs: 1e9 })],
      [test(hostile, { file: hostile, state: "failed", messages: [hostile, ""] })],
    ];
    for (const report of reports) assert.deepEqual(await findProblems(toJUnitXml(report)), []);
  });

  it("is valid where tests of a file have one description or question", async () => {
    const same = { description: "same", vars: { question: "why?" } };
    for (const tests of [
      [same, same],
      [same, { ...same, vars: { question: "when?" } }, same],
      [{ vars: { question: "a\u0001" } }, { vars: { question: "a\u0002" } }],
      ["a\ufffe", "a\uffff", "a\ufffd"].map((description) => ({ ...same, description })),
      ["d", "d (2)", "d"].map((description) => ({ ...same, description })),
    ]) {
      const text = JSON.stringify({ providers: ["mindsdb:a/b"], prompts: ["{{question}}"], tests });
      // YAML takes these characters as escapes only.
      const file = readTestFile(text.replace(/[\ufffe\uffff]/g, escape));
      assert.equal(file.tests.length, tests.length);
      const xml = toJUnitXml(file.tests.map(({ name }) => test(name)));
      assert.deepEqual(await findProblems(xml), [], JSON.stringify(tests));
    }
  });

  it("is refused with two tests of one name, an unknown element or a count that is none", async () => {
    const valid = toJUnitXml([test("one"), test("two", { state: "failed", messages: ["x"] })]);
    for (const wrong of [
      valid.replaceAll("failure", "wrong"),
      valid.replaceAll('tests="2" ', ""),
      valid.replace("</testcase>", ""),
      ...(process.env["JUNIT_XSD"] === undefined ? [valid.replace('"two"', '"one"')] : []),
    ]) {
      assert.notDeepEqual(await findProblems(wrong), [], wrong);
    }
  });
});
