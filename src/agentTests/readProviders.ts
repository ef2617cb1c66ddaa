// Reads the agents that a test file is about.
import * as l10n from "@vscode/l10n";
import { readText, refuseOthers, type Report } from "./readAssertions.ts";
import type { TestedAgent } from "./testFile.ts";
import type { YamlEntry, YamlNode } from "./yamlTree.ts";

/** `mindsdb:<project>/<agent>`, the provider of tests for agents. */
export const providerPrefix = "mindsdb:";

/**
 * The agents, without repetitions. A provider is `mindsdb:<project>/<agent>`, or a map with that as its `id` and the name of
 * a connection as `config.connection`.
 */
export function readProviders(
  entry: YamlEntry | undefined,
  report: Report,
): { agents: TestedAgent[]; isOurs: boolean } {
  const agents: TestedAgent[] = [];
  let isOurs = false;
  const nodes = entry?.value.kind === "list" ? entry.value.items : entry ? [entry.value] : [];
  for (const node of nodes) {
    const agent = readProvider(node, report);
    if (agent === "foreign") continue;
    isOurs = true;
    if (agent) agents.push(agent);
  }
  if (nodes.length === 0) {
    const place = entry?.keyRange ?? { start: 0, end: 1 };
    report(l10n.t("The file needs an agent: providers: ['mindsdb:PROJECT/AGENT']"), place);
  }
  return { agents, isOurs };
}

/** The agent; undefined if it is written in a wrong way, "foreign" if it is no agent of MindsDB. */
function readProvider(node: YamlNode, report: Report): TestedAgent | "foreign" | undefined {
  const fields = new Map(
    node.kind === "map" ? node.entries.map((field) => [field.key, field]) : [],
  );
  const idNode = node.kind === "map" ? fields.get("id")?.value : node;
  const id = idNode && readText(idNode);
  if (!idNode || !id?.startsWith(providerPrefix)) {
    report(l10n.t("Not supported here: a provider other than mindsdb:PROJECT/AGENT."), node.range);
    return "foreign";
  }
  const name = id.slice(providerPrefix.length);
  const slash = name.indexOf("/");
  if (slash <= 0 || slash === name.length - 1 || /[\n{]/.test(name)) {
    report(l10n.t("An agent is written as mindsdb:PROJECT/AGENT."), idNode.range);
    return undefined;
  }
  const agent: TestedAgent = {
    project: name.slice(0, slash),
    name: name.slice(slash + 1),
    range: idNode.range,
  };
  if (node.kind !== "map") return agent;
  refuseOthers(node.entries, ["id", "config"], report);
  const config = fields.get("config")?.value;
  if (!config) return agent;
  const entries = config.kind === "map" ? config.entries : [];
  refuseOthers(entries, ["connection"], report);
  const connectionNode = entries.find(({ key }) => key === "connection")?.value;
  const connection = connectionNode && readText(connectionNode);
  if (!connection) report(l10n.t("The config names a connection, as a text."), config.range);
  return connection ? { ...agent, connection } : agent;
}
