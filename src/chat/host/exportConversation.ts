// `Export Conversation…`: a conversation as a Markdown file.
import * as vscode from "vscode";
import { formatTime } from "../../shared/host/formatTime.ts";
import type { Log } from "../../shared/host/log.ts";
import { pickItem } from "../../shared/host/pickItem.ts";
import { formatConversation, type ConversationExtent } from "../conversationMarkdown.ts";
import { ChatTextFormatter } from "../chatTextFormatter.ts";
import type { Transcript } from "../transcript.ts";
import { exportText } from "./exportText.ts";

/** Asks what to export and for a file, and writes it; secrets are not in transcripts. */
export async function exportConversation(transcript: Transcript, log: Log): Promise<void> {
  const extents: (vscode.QuickPickItem & { extent: ConversationExtent })[] = [
    { label: vscode.l10n.t("Questions and Answers"), extent: "answers" },
    {
      label: vscode.l10n.t("Whole Conversation"),
      detail: vscode.l10n.t("With all steps, SQL, results, and times."),
      extent: "whole",
    },
  ];
  const title = vscode.l10n.t("Export Conversation");
  const placeHolder = vscode.l10n.t("What should be exported?");
  const picked = await pickItem(extents, { title, placeHolder });
  if (!picked) return;
  await exportText(
    {
      title,
      name: transcript.agent.name,
      extension: "md",
      filters: { Markdown: ["md"] },
      format: () => {
        const formatter = new ChatTextFormatter(vscode.env.language);
        return formatConversation(transcript, formatter, formatTime, picked.extent);
      },
      formatSuccess: (where) => vscode.l10n.t("Exported the conversation to {0}.", where),
      formatFailure: (why) => vscode.l10n.t("The conversation could not be exported: {0}", why),
    },
    log,
  );
}
