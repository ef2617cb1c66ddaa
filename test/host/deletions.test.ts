// What the user is told before something is deleted that holds more. That all deletions ask: readOnly.slow.test.ts.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { createJob } from "../../src/mindsdb/jobs.ts";
import { createProject } from "../../src/mindsdb/projectChanges.ts";
import { useTestConnection } from "./useTestServer.ts";
import { until, withWindow, workbench } from "./workbench.ts";

describe("The dialog before a deletion", () => {
  const server = useTestConnection("Deleting");

  before("create what can be deleted", async () => {
    const client = await (await workbench()).connections.client(server.id);
    await createProject(client, "trials");
    for (const project of ["trials", "support"]) {
      await createJob(client, project, {
        name: "weekly",
        query: "SELECT 1",
        schedule: "every 1 week",
      });
    }
  });

  /** The dialog that the command shows, which is closed without a yes. */
  async function dialogOf(command: string, item: object): Promise<string> {
    const shown: string[] = [];
    const show = (message: string, { detail = "" }: vscode.MessageOptions) => {
      shown.push(`${message}\n${detail}`);
      return Promise.resolve(undefined);
    };
    await withWindow({ showWarningMessage: show, showInformationMessage: show }, async () => {
      await vscode.commands.executeCommand(command, { connectionId: server.id, ...item });
      await until("a dialog", () => shown[0]);
    });
    assert.equal(shown.length, 1);
    return shown[0]!;
  }

  it("says that all versions of a model are deleted", async () => {
    const model = { project: "mindsdb", name: "home_rentals_model" };
    const expected =
      /^Delete the model home_rentals_model in mindsdb\?\nAll 2 versions are deleted for everyone\./;
    assert.match(await dialogOf(commands.modelDelete, model), expected);
  });

  it("says which jobs of a project are deleted first", async () => {
    const dialog = await dialogOf(commands.projectDelete, { project: "trials" });
    assert.match(dialog, /^Delete the project trials\?\nIts jobs are deleted first: weekly/);
  });

  it("says what a project holds that is not empty, and asks nothing", async () => {
    const dialog = await dialogOf(commands.projectDelete, { project: "support" });
    assert.match(dialog, /^support is not empty, and MindsDB deletes only empty projects\.\n/);
    assert.match(dialog, /Agents: .*\n.*Jobs: weekly/s);
  });
});
