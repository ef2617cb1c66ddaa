import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { closeAllEditors, tabs, until, useSampleServer } from "./workbench.ts";

describe("Jobs and triggers", () => {
  useSampleServer();
  afterEach(closeAllEditors);

  const project = { connectionId: "sample", project: "mindsdb" };
  const gone = { ...project, name: "none_such" };
  for (const [command, given, title] of [
    [commands.jobCreate, project, "Create Job"],
    [commands.jobShow, gone, gone.name],
    [commands.triggerCreate, project, "Create Trigger"],
    [commands.triggerShow, gone, gone.name],
  ] as const) {
    it(`are opened by ${command}`, async () => {
      await vscode.commands.executeCommand(command, given);
      await until(title, () => tabs().some(({ label }) => label === title));
    });
  }
});
