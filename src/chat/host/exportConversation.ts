// `Export Conversation…`: a conversation as a Markdown file.
import * as vscode from "vscode";
import { formatTime } from "../../shared/host/formatTime.ts";
import type { Log } from "../../shared/host/log.ts";
import { formatConversation } from "../conversationMarkdown.ts";
import { ChatTextFormatter } from "../formatTexts.ts";
import type { Transcript } from "../transcript.ts";
import { exportText } from "./exportText.ts";
import { createChatTexts } from "../chatTexts.ts";

/** Asks for a file, and writes all questions, steps and answers into it; secrets are not in transcripts. */
export async function exportConversation(transcript: Transcript, log: Log): Promise<void> {
  await exportText(
    {
      title: vscode.l10n.t("Export Conversation"),
      name: transcript.agent.name,
      extension: "md",
      filters: { Markdown: ["md"] },
      format: () => {
        const formatter = new ChatTextFormatter(createChatTexts(), vscode.env.language);
        return formatConversation(transcript, formatter, formatTime);
      },
      formatSuccess: (where) => vscode.l10n.t("Exported the conversation to {0}.", where),
      formatFailure: (why) => vscode.l10n.t("The conversation could not be exported: {0}", why),
    },
    log,
  );
}
