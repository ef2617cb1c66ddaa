// `Export Conversation…`: a conversation as a Markdown file.
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage, showInformation } from "../../shared/host/notifications.ts";
import { formatConversation } from "../conversationMarkdown.ts";
import { ChatTextFormatter } from "../formatTexts.ts";
import type { Transcript } from "../transcript.ts";
import { createChatTexts } from "./texts.ts";

/** Asks for a file, and writes all questions, steps and answers into it; secrets are not in transcripts. */
export async function exportConversation(transcript: Transcript, log: Log): Promise<void> {
  const name = transcript.agent.name.replace(/[^\p{L}\p{N} _-]/gu, "_").slice(0, 40);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Conversation"),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, `${name}.md`),
    filters: { Markdown: ["md"] },
  });
  if (!uri) return;
  const { language } = vscode.env;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  try {
    const formatter = new ChatTextFormatter(createChatTexts(), language);
    const text = formatConversation(transcript, formatter, (at) => time.format(at));
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
  } catch (error) {
    log.error("Could not export a conversation", error);
    const why = error instanceof Error ? error.message : String(error);
    void showErrorMessage(vscode.l10n.t("The conversation could not be exported: {0}", why));
    return;
  }
  const open = vscode.l10n.t("Open");
  const where = uri.scheme === "file" ? uri.fsPath : uri.toString(true);
  const message = vscode.l10n.t("Exported the conversation to {0}.", where);
  if ((await showInformation(message, open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}
