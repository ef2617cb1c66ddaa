// Stands for @vscode/l10n in the provider for promptfoo: a build server has no translations.
import { formatMessage } from "../../shared/formatMessage.ts";

export function t(text: string, ...values: unknown[]): string {
  return values.length === 0 ? text : formatMessage(text, ...values.map(String));
}
