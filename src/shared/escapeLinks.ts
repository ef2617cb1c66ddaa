// VS Code turns `[text](command:…)` in notifications and input boxes into links, also in text from a server.

/**
 * The text for a notification or an input box, where one click on a link could run any command. It looks the same: a
 * space without width parts what VS Code would take for a link.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}
