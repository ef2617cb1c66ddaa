// Loads a page into a webview: its HTML with content security policy and texts.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { pageHtml } from "../pageHtml.ts";
import { readPageTexts } from "./pageTexts.ts";

interface LoadedPage {
  extensionUri: vscode.Uri;
  /** The page's files are `dist/<page>.js` and `dist/<page>.css`. */
  page: string;
  title: string;
}

export function loadPage(webview: vscode.Webview, { extensionUri, page, title }: LoadedPage): void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist");
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title,
    language: vscode.env.language,
    script: file(`${page}.js`),
    styles: file(`${page}.css`),
    icons: file("codicon.css"),
    source: webview.cspSource,
    texts: readPageTexts(extensionUri, page),
    nonce: randomBytes(16).toString("base64"),
  });
}
