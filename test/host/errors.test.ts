import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { AppError, type AppErrorKind } from "../../src/mindsdb/errors.ts";
import { bindCommand } from "../../src/shared/host/commands.ts";
import { explainError, explainOnPage, showError } from "../../src/shared/host/errorMessages.ts";
import { Log } from "../../src/shared/host/log.ts";
import { withCancelButton, withStatusBar } from "../../src/shared/host/withCancelButton.ts";
import { noteIn, until, withWindow, workbench } from "./workbench.ts";

const kinds: AppErrorKind[] = [
  "address",
  "unreachable",
  "timeout",
  "certificate",
  "proxy",
  "notMindsDB",
  "signInNeeded",
  "signInRefused",
  "notFound",
  "conflict",
  "refused",
  "readOnly",
  "serverFault",
  "sql",
  "agentFailed",
  "cutOff",
  "badAnswer",
  "tooLarge",
  "notUtf8",
];

describe("Commands of rows", () => {
  it("say that the list was being updated where VS Code has lost the row, and run nothing", async () => {
    for (const id of [commands.jobDelete, commands.viewDelete, commands.chatPin]) {
      const said: string[] = [];
      await withWindow({ showWarningMessage: noteIn(said) }, async () => {
        await vscode.commands.executeCommand(id, undefined, undefined);
      });
      assert.deepEqual(said, ["The list was being updated. Try again."], id);
    }
  });
});

describe("Error messages", () => {
  before(workbench);

  it("offer a diagnosis on a page if nothing reaches the server", () => {
    const where = { connectionId: "c", address: "http://a" };
    const { action } = explainOnPage(new AppError("unreachable", "Can't reach a."), where);
    assert.deepEqual(action, bindCommand(commands.connectionDiagnose, "Diagnose Connection…", "c"));
    const other = explainOnPage(new AppError("timeout", "Too slow."), where);
    assert.equal(other.action, undefined);
  });

  for (const kind of kinds) {
    it(`for ${kind} are one sentence with at most one action, which exists`, async () => {
      const error = new AppError(kind, "The server said no.", { detail: "Traceback…" });
      const { message, action } = explainError(error, { connectionId: "c", address: "http://a" });
      assert.match(message, /^[A-Z][^!]*\.$/);
      assert.doesNotMatch(message, /Traceback/);
      if (action) {
        const known = await vscode.commands.getCommands(true);
        assert.ok(known.includes(action.command), action.command);
        assert.ok(action.title.length > 0);
      }
    });
  }

  it("are in the log without what looks like a secret", async () => {
    // Not disposed: VS Code has one channel for all logs of this name, and would close that of the extension, too.
    const log = new Log();
    log.error("Asking failed", new AppError("sql", "No.", { detail: "api_key='canary-4711-key'" }));
    log.info("Sent with Authorization: Bearer canary-0815-token");
    log.show();
    const text = await until("both messages", () => {
      const shown = vscode.workspace.textDocuments.map((document) =>
        document.uri.scheme === "output" ? document.getText() : "",
      );
      return shown.find((all) => all.includes("Asking failed") && all.includes("Sent with"));
    });
    assert.match(text, /api_key='\*{6}'/);
    assert.doesNotMatch(text, /canary/);
  });

  it("are truncated, however long the server's message is", () => {
    const { message } = explainError(new AppError("serverFault", `No: ${"why ".repeat(5_000)}.`));
    assert.match(message, /^No: why .*…$/);
    assert.ok(message.length <= 1_000);
  });

  it("are shown without links from the server", async () => {
    const shown: string[] = [];
    const text = "No. [Fix it](command:workbench.action.quit)";
    await withWindow({ showErrorMessage: noteIn(shown) }, () =>
      showError(new AppError("refused", text)),
    );
    assert.equal(shown.length, 1);
    assert.ok(!shown[0]!.includes("]("));
  });

  it("of work in progress are shown without links and icons, too", async () => {
    const text = "Asking [Fix it](command:quit) $(trash)";
    const shown: (string | undefined)[] = [];
    const withProgress: typeof vscode.window.withProgress = ({ title }, work) => {
      shown.push(title);
      const report = ({ message }: { message?: string }) => void shown.push(message);
      return work({ report }, new vscode.CancellationTokenSource().token);
    };
    await withWindow({ withProgress }, async () => {
      await withCancelButton(text, (_, report) => Promise.resolve(report({ message: text })));
      await withStatusBar(text, (report) => Promise.resolve(report({ message: text })));
    });
    assert.equal(shown.length, 4);
    for (const one of shown) assert.doesNotMatch(one ?? "](", /\]\(|\$\(/);
  });

  it("say that an unknown error is unexpected", () => {
    const { message, action } = explainError(new TypeError("x is not a function"));
    assert.doesNotMatch(message, /not a function/);
    assert.ok(action);
  });
});
