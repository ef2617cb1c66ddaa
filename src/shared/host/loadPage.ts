// Loads a page into a webview: its HTML with content security policy and texts.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { pageHtml } from "../pageHtml.ts";
import { readPageFiles, readPageTexts } from "./builtPages.ts";

interface LoadedPage {
  extensionUri: vscode.Uri;
  /** Its script is `dist/<page>.js`. */
  page: string;
  title: string;
}

export function loadPage(webview: vscode.Webview, { extensionUri, page, title }: LoadedPage): void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title,
    language: vscode.env.language,
    folder: webview.asWebviewUri(folder).toString(),
    script: `${page}.js`,
    ...readPageFiles(extensionUri, page),
    source: webview.cspSource,
    texts: readPageTexts(extensionUri, page),
    nonce: randomBytes(16).toString("base64"),
  });
}
