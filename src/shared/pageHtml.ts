// The HTML document of a webview: style sheets, a script with what it imports, an icon font, no other resources.

interface PageHtml {
  title: string;
  language: string;
  /** URI of the folder with the page's files. */
  folder: string;
  script: string;
  /** What the script imports, so that all are requested together. */
  imports: readonly string[];
  /** The texts of its style sheets. As files, the script would wait some 25 ms for them (VS Code 1.139). */
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
    `style-src 'nonce-${nonce}'`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** A file beside a style sheet; a minified one names it without quotes. */
const ownFile = /url\(["']?\.\/([^"'()]*)["']?\)/g;

/** The document. Its body is empty; the script fills it from the first snapshot. */
export function pageHtml(page: PageHtml): string {
  const policy = contentSecurityPolicy(page.source, page.nonce);
  const nonce = `nonce="${attribute(page.nonce)}"`;
  const file = (name: string): string => attribute(`${page.folder}/${name}`);
  return `<!DOCTYPE html>
<html lang="${attribute(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.imports.map((name) => `<link rel="modulepreload" ${nonce} href="${file(name)}">`).join("\n")}
<title>${attribute(page.title)}</title>
<style ${nonce}>
${page.styles.join("\n").replace(ownFile, (_, name: string) => `url("${page.folder}/${name}")`)}
</style>
<script type="application/json" id="texts">${scriptData(page.texts ?? {})}</script>
</head>
<body>
<script type="module" ${nonce} src="${file(page.script)}"></script>
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
