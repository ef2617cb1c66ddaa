// Files dropped on the tree: on Data they become tables, on a knowledge base they become documents.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import type { ExplorerNode } from "../node.ts";

export async function dropFiles(
  target: ExplorerNode | undefined,
  data: vscode.DataTransfer,
): Promise<void> {
  const files = await readUris(data);
  if (files.length === 0) return;
  if (target?.kind === "knowledgeBase") {
    await executeCommand(commands.knowledgeBaseAddContent, { ...target, files });
  } else if (target && takesTables(target)) {
    const { connectionId } = target;
    // One after the other: each asks for its table's name.
    for (const uri of files) {
      await executeCommand(commands.tableUpload, { connectionId, uri });
    }
  } else showStatus(vscode.l10n.t("Drop files on Data or on a knowledge base."));
}

function takesTables(node: ExplorerNode): boolean {
  return node.kind === "data" || (node.kind === "dataSource" && node.name === filesSource);
}

/** Comment lines and what is no address are left out. */
async function readUris(data: vscode.DataTransfer): Promise<vscode.Uri[]> {
  const text = (await data.get("text/uri-list")?.asString()) ?? "";
  return text.split(/\r?\n/).flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    try {
      return [vscode.Uri.parse(line, true)];
    } catch {
      return [];
    }
  });
}
