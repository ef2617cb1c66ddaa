// Replaces @vscode/l10n in the renderer (see esbuild.js): each result comes with the translations of the renderer's texts.
import { formatMessage } from "../../shared/formatMessage.ts";
import type { RendererTexts } from "../messages.ts";

let language: RendererTexts = { locale: "en", texts: {} };
let isFromHost = false;

/** Any notebook may hold a result: only the language of one that the host has sent stays. */
export function setLanguage({ locale, texts }: RendererTexts, isVouched: boolean): void {
  if (isFromHost && !isVouched) return;
  isFromHost = isVouched;
  language = { locale: isLocale(locale) ? locale : "en", texts };
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}

export function t(text: string, ...values: (string | number)[]): string {
  const translated: unknown = language.texts[text];
  return formatMessage(
    typeof translated === "string" ? translated : text,
    ...values.map((value) => String(value)),
  );
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(language.locale, options);
}
