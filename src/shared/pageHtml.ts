// The HTML document of a webview: a script with what it imports, style sheets, no other resources.

interface PageHtml {
  title: string;
  language: string;
  /** URIs of the page's files. */
  script: string;
  /** What the script imports, so that all are requested together. */
  imports: readonly string[];
  styles: readonly string[];
  /** Translations of the page's texts, by the English ones; none in English. */
  texts?: Record<string, string> | undefined;
  /** CSP source of the page's files. */
  source: string;
  /** CSP nonce, new for each page load. */
  nonce: string;
}

/**
 * The page's Content Security Policy. Server data is untrusted: if any of it ever became markup, it could not run, load
 * or send anything.
 */
function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The document. Its body is empty; the script fills it from the first snapshot. */
export function pageHtml(page: PageHtml): string {
  const policy = contentSecurityPolicy(page.source, page.nonce);
  return `<!DOCTYPE html>
<html lang="${attribute(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.styles.map((uri) => `<link rel="stylesheet" href="${attribute(uri)}">`).join("\n")}
${page.imports.map((uri) => `<link rel="modulepreload" nonce="${attribute(page.nonce)}" href="${attribute(uri)}">`).join("\n")}
<title>${attribute(page.title)}</title>
<script type="application/json" id="texts">${scriptData(page.texts ?? {})}</script>
</head>
<body>
<script type="module" nonce="${attribute(page.nonce)}" src="${attribute(page.script)}"></script>
</body>
</html>`;
}

/** JSON in a script element, which is data and ends at the first `</script`. */
function scriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
