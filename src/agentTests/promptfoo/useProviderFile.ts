// Changes a test file so that promptfoo can run it too, with the provider in `mindsdb-provider.mjs` beside it.
import { providerFileName } from "./providerFile.ts";
import { listItems } from "../files/readFields.ts";
import { readTestFile } from "../files/readTestFile.ts";
import { isTargetText } from "../runs/testTarget.ts";
import type { TestFile } from "../files/testFile.ts";
import { readYaml, toPlainValue, type YamlNode } from "../files/yamlTree.ts";

const tracing = "tracing: { enabled: true, otlp: { http: { enabled: true } } }";

/**
 * The text with that file as every provider of MindsDB, and with promptfoo's tracing where an assertion needs it;
 * everything else stays as it is. Undefined if the file has no such provider, or has problems.
 */
export function useProviderFile(text: string): string | undefined {
  const file = readTestFile(text);
  const { root } = readYaml(text);
  if (!file.isOurs || file.problems.length > 0 || root?.kind !== "map") return undefined;
  const entry = root.entries.find(({ key }) => key === "providers");
  let changed = text;
  // From the end, so that earlier places stay right.
  for (const node of listItems(entry?.value).toReversed()) {
    const provider = formatProvider(node);
    if (provider === undefined) continue;
    const { start, end } = node.range;
    const length = text.slice(start, end).trimEnd().length;
    changed = changed.slice(0, start) + provider + changed.slice(start + length);
  }
  if (needsTracing(file) && !root.entries.some(({ key }) => key === "tracing")) {
    changed = `${changed.trimEnd()}\n${tracing}\n`;
  }
  const after = readTestFile(changed);
  const isSame = after.problems.length === 0 && after.tests.length === file.tests.length;
  return isSame ? changed : undefined;
}

/** Undefined for a provider that has the file already. */
function formatProvider(node: YamlNode): string | undefined {
  const value = toPlainValue(node);
  const { id, config, ...others } = (typeof value === "string" ? { id: value } : value) as {
    id: string;
    config?: object;
  };
  if (!isTargetText(id)) return undefined;
  const provider = { provider: id, ...config };
  // JSON is YAML, also inside of a block.
  return JSON.stringify({ id: `file://${providerFileName}`, ...others, config: provider });
}

function needsTracing({ tests }: TestFile): boolean {
  return tests.some(({ assertions }) =>
    assertions.some(({ type, members = [] }) =>
      [type, ...members.map((member) => member.type)].some((one) => one.startsWith("trajectory:")),
    ),
  );
}
