// VS Code turns `[text](command:…)` in notifications and input boxes into links, also in text from a server.

/**
 * Escapes text for a notification or an input box, where one click on a link could run any command. The text looks the
 * same: a zero-width space breaks the link syntax.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}
