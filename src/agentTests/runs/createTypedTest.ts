import { visibleLine } from "../../shared/oneLine.ts";
import { maxNameLength, type AgentTest } from "../files/testFile.ts";

/** A question without assertions, as a test. Nothing in it is a template. */
export function createTypedTest(question: string, index: number): AgentTest {
  const range = { start: 0, end: 0 };
  return {
    id: String(index),
    name: visibleLine(question, maxNameLength),
    agent: { kind: "agent", project: "", name: "", range },
    question,
    vars: {},
    assertions: [],
    repeat: 1,
    problems: [],
    range,
  };
}
