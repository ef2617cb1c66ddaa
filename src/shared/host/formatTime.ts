import * as vscode from "vscode";

/** A time in the user's language, like "Nov 24, 2026, 2:02 PM". */
export function formatTime(epochMs: number): string {
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Date(epochMs).toLocaleString(vscode.env.language, style);
}
