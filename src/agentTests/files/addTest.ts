// Writes a test into the text of a test file.
import { isMap, isNode, isScalar, isSeq, stringify, type YAMLMap, type YAMLSeq } from "yaml";
import { escapeUnprintable } from "./unprintable.ts";
import { isLiteral } from "./templates.ts";
import { providerPrefix } from "../runs/testTarget.ts";
import type { SuggestedAssertion } from "./suggestAssertions.ts";
import { parseYamlDocument } from "./yamlTree.ts";

export interface NewTest {
  agent: { project: string; name: string };
  question: string;
  assertions: readonly SuggestedAssertion[];
}

const prompt = "{{question}}";

/** Quoted, because js-yaml, which promptfoo uses, reads some plain texts as dates and numbers. */
const format = {
  lineWidth: 0,
  defaultStringType: "QUOTE_DOUBLE",
  defaultKeyType: "PLAIN",
} as const;

/**
 * The text with the test as its last one; comments stay. An empty text becomes a file for the agent. Undefined if the file
 * is no list of tests, or if the question would not be asked as it is.
 */
export function addTest(text: string, test: NewTest): string | undefined {
  // A variable's value is a template too.
  if (!isLiteral(test.question)) return undefined;
  const document = parseYamlDocument(text.trim() === "" ? formatNewFile(test) : text);
  if (!isMap(document?.contents) || repeatsKey(document.contents)) return undefined;
  const prompts: unknown = toPlain(document.get("prompts"));
  if (JSON.stringify(prompts) !== JSON.stringify([prompt]) && prompts !== prompt) return undefined;
  const tests: unknown = document.get("tests");
  const entry = escapeUnprintable(stringify([formatTest(test)], format));
  if (isSeq(tests)) {
    const inserted = insertItem(text, tests, entry);
    if (inserted !== undefined) return inserted;
    tests.flow = false;
    tests.add(document.createNode(formatTest(test)));
  } else if (tests === undefined || tests === null) {
    document.set("tests", document.createNode([formatTest(test)]));
  } else return undefined;
  return escapeUnprintable(document.toString(format));
}

/** Adds an item after the others and changes nothing else; undefined if that is not possible. */
function insertItem(text: string, list: YAMLSeq, item: string): string | undefined {
  const first = list.items[0];
  const start = isNode(first) ? first.range?.[0] : undefined;
  if (start === undefined || list.flow || !list.range) return undefined;
  const dash = text.lastIndexOf("-", start);
  const indent = dash - text.lastIndexOf("\n", dash) - 1;
  const last = text.slice(0, list.range[1]).trimEnd().length;
  // A comment may follow.
  const lineEnd = /\r?\n|$/.exec(text.slice(last))!.index + last;
  const lines = item.trimEnd().split("\n");
  const added = lines.map((line) => `\n${" ".repeat(indent)}${line}`).join("");
  const changed = text.slice(0, lineEnd) + added + text.slice(lineEnd);
  const tests = parseYamlDocument(changed)?.get("tests");
  return isSeq(tests) && tests.items.length === list.items.length + 1 ? changed : undefined;
}

/** The parser does not look: it would compare each key with all others. */
function repeatsKey({ items }: YAMLMap): boolean {
  const names = items.map(({ key }) => String(isScalar(key) ? key.value : key));
  return new Set(names).size < names.length;
}

function toPlain(node: unknown): unknown {
  return isSeq(node) ? node.toJSON() : node;
}

function formatNewFile({ agent: { project, name } }: NewTest): string {
  const provider = JSON.stringify(`${providerPrefix}${project}/${name}`);
  return `providers: [${provider}]\nprompts: ["${prompt}"]\n`;
}

function formatTest({ question, assertions }: NewTest): object {
  return {
    vars: { question },
    assert: assertions.map(({ type, value, threshold }) => ({
      type,
      value,
      threshold,
    })),
  };
}
