// Replaces @vscode/l10n in pages (see esbuild.js): the host has put the translations of the page's texts into it.
const element = document.getElementById("texts");
const translations = JSON.parse(element?.textContent || "{}") as Record<string, string>;

export function t(text: string, ...values: (string | number)[]): string {
  const translated = translations[text] ?? text;
  return translated.replace(/\{(\d+)\}/g, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(document.documentElement.lang, options);
}
