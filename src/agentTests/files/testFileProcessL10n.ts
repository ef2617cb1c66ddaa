// Stands for @vscode/l10n in the process that parses test files (see esbuild.js), which is sent the translations.
import { formatMessage } from "../../shared/formatMessage.ts";

let translations: Readonly<Record<string, string>> = {};

export function setTexts(texts: Readonly<Record<string, string>>): void {
  translations = texts;
}

export function t(text: string, ...values: unknown[]): string {
  const translated = translations[text] ?? text;
  return values.length === 0 ? translated : formatMessage(translated, ...values.map(String));
}
