// A VS Code with the packaged extension, connected to a real server.
import fs from "node:fs";
import { packVsix, vsixPath } from "../../scripts/package.ts";
import type { Version } from "../../scripts/mindsdb/install.ts";
import { useWorkbench, type Journey } from "../e2e/lib/journey.ts";
import { ACCOUNT, fixture } from "./fixture.ts";

interface Options {
  /** Whether the sign-in outlives a restart of the server. */
  keep?: boolean;
  /** The server's own unless given. */
  address?: () => string;
}

/** Opens VS Code for the tests of this block, signed in to a version's server as the connection "Real". */
export function useRealWorkbench(
  version: Version,
  { keep = true, address = () => fixture(version).server.url }: Options = {},
): Journey {
  const journey = useWorkbench(() => ({
    vsix: fs.existsSync(vsixPath) ? vsixPath : packVsix(),
    machineSettings: {
      "mindsdbWorkbench.connections": [{ id: "real", name: "Real", address: address() }],
    },
  }));
  before("sign in", async () => {
    await journey.workbench.command("MindsDB: Sign In…");
    await journey.workbench.quickInput.signIn(ACCOUNT, { keep });
  });
  return journey;
}
