// The commands of the tree. What they do is imported with the first use.
import { commands } from "../../ids.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type {
  ConnectionNode,
  ExplorerNode,
  JobNode,
  NamedNode,
  ProjectNode,
  QueryNode,
} from "../node.ts";
import type { ExplorerActions } from "./explorerActions.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerExplorerCommands>> {}
}

/** Registers the commands until the result is disposed. */
export function registerExplorerCommands(
  refresh: (node?: ExplorerNode) => void,
  load: () => Promise<ExplorerActions>,
) {
  return registerCommands({
    [commands.explorerRefresh]: refresh,
    [commands.explorerCopyName]: async (node?: NamedNode) => (await load()).copyName(node),
    [commands.explorerFind]: async () => (await load()).findAndOpen(),
    [commands.explorerOpenByName]: async (node?: ExplorerNode) => (await load()).openByName(node),
    [commands.explorerForgetName]: async (node: NamedNode) => (await load()).forgetName(node),
    [commands.explorerDeleteSelected]: async () => (await load()).deleteSelected(),
    [commands.projectCreate]: async (given?: ConnectionNode) =>
      (await load()).projects.create(given),
    [commands.projectDelete]: async (given?: ProjectNode) => (await load()).projects.delete(given),
    [commands.jobDelete]: async (job: JobNode) => (await load()).jobs.deleteJob(job),
    [commands.queryCancel]: async (query: QueryNode) => (await load()).jobs.cancelQuery(query),
  });
}
