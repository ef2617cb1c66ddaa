// The command behind the Delete key on a row of the tree: the one that the row's menu has for it.
import { commands } from "../ids.ts";
import { filesSource } from "../mindsdb/filesSource.ts";
import type { ExplorerNode } from "./node.ts";

/** Returns the command that deletes the node or removes it from the tree; undefined if there is none. */
export function getDeleteCommand(node: ExplorerNode): string | undefined {
  switch (node.kind) {
    case "connection":
      return commands.connectionRemove;
    case "project":
      return node.isDefault ? undefined : commands.projectDelete;
    case "agent":
      return node.isByName ? commands.explorerForgetName : commands.agentDelete;
    case "knowledgeBase":
      return node.isByName ? commands.explorerForgetName : commands.knowledgeBaseDelete;
    case "model":
      return node.isByName ? commands.explorerForgetName : commands.modelDelete;
    case "modelVersion":
      return node.item.active ? undefined : commands.modelDeleteVersion;
    case "view":
      return commands.viewDelete;
    case "job":
      return commands.jobDelete;
    case "trigger":
      return commands.triggerDelete;
    case "mlEngine":
      return commands.mlEngineDelete;
    case "dataSource":
      return node.name === filesSource ? undefined : commands.dataSourceDisconnect;
    case "table":
      return node.project === filesSource ? commands.tableDrop : undefined;
    case "group":
    case "queries":
    case "query":
    case "data":
    case "mlEngines":
    case "schema":
    case "column":
    case "error":
    case "empty":
    case "unlisted":
      return undefined;
  }
}
