// `Export Conversation…`: a conversation as a Markdown file.
import * as vscode from "vscode";
import { showExported } from "../../shared/host/exportFile.ts";
import type { Log } from "../../shared/host/log.ts";
import { formatConversation } from "../conversationMarkdown.ts";
import { ChatTextFormatter } from "../formatTexts.ts";
import type { Transcript } from "../transcript.ts";
import { exportText } from "./exportText.ts";
import { createChatTexts } from "../chatTexts.ts";

/** Asks for a file, and writes all questions, steps and answers into it; secrets are not in transcripts. */
export async function exportConversation(transcript: Transcript, log: Log): Promise<void> {
  const uri = await exportText(
    {
      title: vscode.l10n.t("Export Conversation"),
      name: transcript.agent.name,
      extension: "md",
      filters: { Markdown: ["md"] },
      format: () => {
        const { language } = vscode.env;
        const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
        const formatter = new ChatTextFormatter(createChatTexts(), language);
        return formatConversation(transcript, formatter, (at) => time.format(at));
      },
      formatFailure: (why) => vscode.l10n.t("The conversation could not be exported: {0}", why),
    },
    log,
  );
  if (uri) {
    await showExported(uri, (where) => vscode.l10n.t("Exported the conversation to {0}.", where));
  }
}
