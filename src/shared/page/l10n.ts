// Replaces @vscode/l10n in pages (see esbuild.js): the host has put the translations of the page's texts into it.
import type { PageLanguage } from "../pageLanguage.ts";

let language: PageLanguage | undefined;

/** For a document that is not a page of ours: the notebook renderer gets its language with each result. */
export function setLanguage({ locale, texts }: PageLanguage): void {
  language = { locale: isLocale(locale) ? locale : "en", texts };
}

export function t(text: string, ...values: (string | number)[]): string {
  const translated: unknown = used().texts[text];
  return (typeof translated === "string" ? translated : text).replace(
    /\{(\d+)\}/g,
    (place, index: string) => String(values[Number(index)] ?? place),
  );
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(used().locale, options);
}

function used(): PageLanguage {
  return (language ??= {
    locale: document.documentElement.lang,
    texts: JSON.parse(
      document.getElementById("texts")?.textContent || "{}",
    ) as PageLanguage["texts"],
  });
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
