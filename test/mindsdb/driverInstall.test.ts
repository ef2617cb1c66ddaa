// A user installs a driver that a real server lacks, from the list of what it can connect to. The server is a throwaway
// copy, whose pip asks the package index.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { installMindsDB, sitePackages } from "../../scripts/mindsdb/install.ts";
import { freePort, startMindsDB, type RealServer } from "../../scripts/mindsdb/server.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { useWorkbench } from "../e2e/lib/journey.ts";
import { versions } from "./fixture.ts";

const data = ["Copy", "Data"];

for (const version of versions) {
  describe(`MindsDB ${version}, a user who needs a driver`, function () {
    this.timeout(300_000);
    let server: RealServer;
    let python: string;
    let folder: string;

    before("start a copy of the server", async () => {
      python = await installMindsDB(version);
      const installed = path.resolve(path.dirname(python), "..");
      // Beside it, so that files are linked rather than copied; pip replaces files and changes none.
      folder = `${installed}.copy-${String(process.pid)}`;
      execFileSync("cp", ["-al", installed, folder]);
      server = await startMindsDB({ version, python: path.join(folder, "bin", "python") });
    });
    after("remove the copy", async () => {
      await server?.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const journey = useWorkbench(() => ({
      machineSettings: {
        "mindsdbWorkbench.connections": [{ id: "copy", name: "Copy", address: server.url }],
      },
    }));

    it("installs MySQL's after a question, and then is told why a connection fails", async () => {
      const { quickInput, dialogs } = journey.workbench;
      await journey.tree.expand(data);
      await journey.tree.inlineAction(data, "Connect Data Source…");
      await quickInput.expect("What do you want to connect to?");
      await quickInput.typeAndTake("MySQL");
      const question = await dialogs.modal("Install the driver for MySQL?", "Install");
      assert.match(question, /MindsDB runs pip on its machine/);
      const frame = await journey.workbench.frameWith(
        '.form h1:text-is("Connect MySQL")',
        4 * 60_000,
      );
      assert.ok(
        fs.existsSync(path.join(sitePackages(path.join(folder, "bin", "python")), "mysql")),
      );
      const fill = (field: string, text: string) =>
        frame.locator(`.field[data-field="${field}"] input`).first().fill(text);
      await fill("name", "no_shop");
      const values = {
        host: "127.0.0.1",
        port: await freePort(),
        user: "ada",
        password: "made-up",
        database: "shop",
      };
      for (const [name, value] of Object.entries(values)) await fill(`arg-${name}`, String(value));
      await frame.getByRole("button", { name: "Test Connection", exact: true }).click();
      await eventually(async () => {
        const says = await frame.locator("main").innerText();
        assert.match(says, /Can't connect to MySQL server/);
      }, 60_000);
      await journey.workbench.screenshot(`driver-${version}`);
    });

    it("changes nothing outside of the copy", () => {
      assert.equal(fs.existsSync(path.join(sitePackages(python), "mysql")), false);
    });
  });
}
