// Reads the agents and knowledge bases that a test file is about.
import * as l10n from "@vscode/l10n";
import { maxChunks } from "../../mindsdb/maxChunks.ts";
import {
  listItems,
  readNumber,
  readText,
  refuseOthers,
  toFields,
  type Report,
} from "./readFields.ts";
import { isProviderFile } from "../promptfoo/providerFile.ts";
import type { TestedAgent } from "./testFile.ts";
import { keysOf } from "./testFileKeys.ts";
import { isTargetText, parseTarget } from "../runs/testTarget.ts";
import type { YamlEntry, YamlNode } from "./yamlTree.ts";

/**
 * The agents and knowledge bases. A provider is `mindsdb:<project>/<agent>` or
 * `mindsdb-search:<project>/<knowledge base>`, or a map with that as its `id` and a `config`. For promptfoo, `id` can
 * be the file of its provider, and `config.provider` the text.
 */
export function readProviders(
  entry: YamlEntry | undefined,
  report: Report,
): { agents: TestedAgent[]; isOurs: boolean } {
  const agents: TestedAgent[] = [];
  let isOurs = false;
  const nodes = listItems(entry?.value);
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

/** The agent; undefined if it is written in a wrong way, "foreign" if it is not one of MindsDB. */
function readProvider(node: YamlNode, report: Report): TestedAgent | "foreign" | undefined {
  const fields = toFields(node);
  const config = fields.get("config")?.value;
  const idNode = node.kind === "map" ? fields.get("id")?.value : node;
  const id = (idNode && readText(idNode)) ?? "";
  const isFile = isProviderFile(id);
  const targetNode = isFile ? toFields(config).get("provider")?.value : idNode;
  const written = (targetNode && readText(targetNode)) ?? "";
  if (!targetNode || !isTargetText(written)) {
    report(l10n.t("Not supported here: a provider other than mindsdb:PROJECT/AGENT."), node.range);
    return "foreign";
  }
  const target = parseTarget(written);
  if (!target) {
    report(
      l10n.t(
        "Enter mindsdb:PROJECT/AGENT for an agent, or mindsdb-search:PROJECT/NAME for a knowledge base.",
      ),
      targetNode.range,
    );
    return undefined;
  }
  const agent: TestedAgent = { ...target, range: targetNode.range };
  if (node.kind !== "map") return agent;
  refuseOthers(node.entries, keysOf.provider, report);
  return config ? { ...agent, ...readConfig(config, agent, isFile, report) } : agent;
}

function readConfig(
  config: YamlNode,
  { kind }: TestedAgent,
  isFile: boolean,
  report: Report,
): Pick<TestedAgent, "connection" | "limit"> {
  const isSearch = kind === "knowledgeBase";
  const known = ["connection", ...(isFile ? ["provider"] : []), ...(isSearch ? ["limit"] : [])];
  const fields = toFields(config);
  refuseOthers(fields.values(), known, report);
  const connectionNode = fields.get("connection")?.value;
  const connection = connectionNode && readText(connectionNode);
  if (fields.size === 0 || (connectionNode && !connection)) {
    report(l10n.t("“connection” must be a string."), config.range);
  }
  const limitNode = isSearch ? fields.get("limit")?.value : undefined;
  const limit = limitNode && readNumber(limitNode, 1);
  if (limitNode && (limit === undefined || !Number.isInteger(limit) || limit > maxChunks)) {
    report(l10n.t("It must be a whole number from 1 to {0}.", maxChunks), limitNode.range);
  }
  return {
    ...(connection ? { connection } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
}
