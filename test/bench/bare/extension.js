// The least that a tree of 5,000 models and a page with a stream's text can cost: what the product is measured against.
import http from "node:http";
import * as vscode from "vscode";

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
  const changed = new vscode.EventEmitter();
  const names = Array.from({ length: 5_000 }, (_, n) => `model_${String(n).padStart(4, "0")}`);
  const icon = new vscode.ThemeIcon("graph-line");
  const tree = {
    onDidChangeTreeData: changed.event,
    getChildren: (element) => (element ? names : ["models"]),
    getTreeItem: (element) => {
      const item = new vscode.TreeItem(element, element === "models" ? 1 : 0);
      item.id = element;
      if (element === "models") return item;
      // The look of a model's row, so that drawing is not what is compared.
      item.description = "v1 · complete";
      item.iconPath = icon;
      item.contextValue = "model";
      item.command = { command: "bare.refresh", title: "Refresh", arguments: [element] };
      return item;
    },
  };
  context.subscriptions.push(
    vscode.window.createTreeView("bare.tree", { treeDataProvider: tree }),
    vscode.commands.registerCommand("bare.refresh", () => changed.fire(undefined)),
    vscode.commands.registerCommand("bare.open", open),
  );
}

/** Posts a stream's bytes, as they come, to a page that appends them. */
function open() {
  const panel = vscode.window.createWebviewPanel("bare", "Bare", vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  panel.webview.html = `<!doctype html><div id="bare"></div><script>
    const api = acquireVsCodeApi();
    addEventListener("message", ({ data }) => {
      document.getElementById("bare").append(Object.assign(document.createElement("p"), { textContent: data }));
    });
    document.getElementById("bare").addEventListener("click", () => api.postMessage("go"));
  </script>`;
  panel.webview.onDidReceiveMessage(() => {
    const request = http.request(process.env["BENCH_STREAM"] ?? "", { method: "POST" });
    request.on("response", (response) => {
      response.setEncoding("utf8");
      response.on("data", (text) => void panel.webview.postMessage(text));
    });
    request.end();
  });
}
