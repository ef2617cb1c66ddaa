import assert from "node:assert/strict";
import {
  listResults,
  reportTest,
  toJUnitXml,
  type ReportedTest,
} from "../../../src/agentTests/runs/junitXml.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import type { AssertionResult } from "../../../src/agentTests/checks/verdict.ts";

describe("JUnit XML", () => {
  it("has a suite for each file, with counts, times and messages", () => {
    const xml = toJUnitXml([
      { file: "a.yaml", name: "one", state: "passed", tookMs: 1_500, messages: [] },
      { file: "b.yaml", name: "two", state: "error", tookMs: 0, messages: ["Not run: x"] },
      {
        file: "a.yaml",
        name: "three",
        state: "failed",
        tookMs: 20,
        messages: ["Expected: x\nmore", "y"],
      },
    ]);
    assert.equal(
      xml,
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="Agent Tests" tests="3" failures="1" errors="1" time="1.520">',
        '  <testsuite name="a.yaml" tests="2" failures="1" errors="0" time="1.520">',
        '    <testcase name="one" classname="a.yaml" time="1.500"/>',
        '    <testcase name="three" classname="a.yaml" time="0.020"><failure message="Expected: x">Expected: x\nmore\n\ny</failure></testcase>',
        "  </testsuite>",
        '  <testsuite name="b.yaml" tests="1" failures="0" errors="1" time="0.000">',
        '    <testcase name="two" classname="b.yaml" time="0.000"><error message="Not run: x">Not run: x</error></testcase>',
        "  </testsuite>",
        "</testsuites>",
        "",
      ].join("\n"),
    );
  });

  it("has another name for each test of a file: its variables, then a number", () => {
    const long = "x".repeat(200);
    const cases: [tests: object[], names: string[]][] = [
      [
        [
          { description: "same", vars: { question: "a" } },
          { description: "same", vars: { question: "b", city: "Rome" } },
        ],
        ["same: a", "same: b, Rome"],
      ],
      [
        [{ vars: { question: "Why?" } }, { vars: { question: " Why?\n" } }],
        ["Why?", "Why? (2)"],
      ],
      [
        [{ vars: { question: `${long}1` } }, { vars: { question: `${long}2` } }],
        [`${"x".repeat(119)}…`, `${"x".repeat(119)}… (2)`],
      ],
      [
        ["d", "d", "d (2)", "d"].map((description) => ({ description, vars: { question: "q" } })),
        ["d", "d (3)", "d (2)", "d (4)"],
      ],
      [
        [
          { description: "m", vars: { question: ["a", "b"] } },
          { description: "m", vars: { question: "a", n: 1 } },
        ],
        ["m: a", "m: b", "m"],
      ],
    ];
    for (const [tests, expected] of cases) {
      const file = readTestFile(
        JSON.stringify({ providers: ["mindsdb:a/b"], prompts: ["{{question}}"], tests }),
      );
      const names = file.tests.map(({ name }) => name);
      assert.deepEqual(names, expected);
    }
  });

  it("has one test of each name in a file, also after an edit has moved its tests", () => {
    const result = (name: string, state: ReportedTest["state"], file = "a.yaml"): ReportedTest => ({
      file,
      name,
      state,
      tookMs: 0,
      messages: [],
    });
    const results = new Map([
      ["a#10.10", result("last", "passed")],
      ["a#0.0", result("why?", "failed")],
      ["b#0.0", result("why?", "failed", "b.yaml")],
      ["a#1.1", result("why?", "passed")],
    ]);
    assert.deepEqual(
      listResults(results).map(({ file, name, state }) => [file, name, state]),
      [
        ["a.yaml", "why?", "passed"],
        ["a.yaml", "last", "passed"],
        ["b.yaml", "why?", "failed"],
      ],
    );
    const moved = new Map([...results].toReversed());
    assert.equal(listResults(moved)[0]?.state, "failed");
  });

  it("has the MRR of a file with searches", () => {
    const search = { file: "a.yaml", state: "passed" as const, tookMs: 0, messages: [] };
    const xml = toJUnitXml([
      { ...search, name: "one", reciprocalRank: 1 },
      { ...search, name: "two", reciprocalRank: 1 / 3 },
      { ...search, name: "of an agent" },
      { ...search, name: "other", file: "b.yaml" },
    ]);
    const property = '<properties><property name="MRR" value="0.6667"/></properties>';
    assert.deepEqual(xml.match(/<properties>.*/g), [property]);
    assert.match(xml, /<testsuite name="a.yaml" [^>]*>\n *<properties>/);
  });

  it("has no more of long answers than fits for thousands of tests", () => {
    const answer = "x".repeat(1_000_000);
    const failed = (): AssertionResult => ({
      assertion: { type: "equals", isInverse: false, value: "", range: { start: 0, end: 1 } },
      isPassed: false,
      score: 0,
      reason: "Expected: equals",
      actual: answer,
    });
    const attempt = {
      state: "failed" as const,
      score: 0,
      results: [failed(), failed()],
      tookMs: 1,
    };
    const { messages } = reportTest("a.yaml", "one", {
      state: "failed",
      attempts: [attempt],
      passed: 0,
      tookMs: 1,
    });
    assert.ok(messages[0]?.startsWith("Expected: equals\nxxx"));
    assert.ok(messages.join("").length <= 20_000);
  });

  it("keeps hostile texts from being markup or characters that XML refuses", () => {
    const hostile = '<&>"]]>\0\u001b\uD800\uFFFE';
    const xml = toJUnitXml([
      { file: hostile, name: `${hostile}\n`, state: "failed", tookMs: 1, messages: [hostile] },
    ]);
    assert.ok(xml.includes("&lt;&amp;&gt;&quot;]]&gt;\uFFFD\uFFFD\uFFFD\uFFFD&#10;"));
    assert.ok(!xml.includes("\0"));
    assert.equal(xml.match(/<testcase/g)?.length, 1);
  });

  it("keeps line breaks and tabs, which XML readers would replace", () => {
    const xml = toJUnitXml([
      { file: "a", name: "a\tb", state: "failed", tookMs: 1, messages: ["one\r\ntwo\tthree"] },
    ]);
    assert.match(xml, /name="a&#9;b"/);
    assert.match(xml, /message="one">one&#13;\ntwo\tthree</);
  });
});
