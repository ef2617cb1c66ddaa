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
  /** What else the settings say of each connection, by its name. */
  connections?: Record<string, object>;
  /** Returns the package of another extension, which runs beside the product. */
  otherVsix?: () => string;
}

/** Opens VS Code for the tests of this block, signed in to a version's server, as the connection "Real" unless others are given. */
export function useRealWorkbench(
  version: Version,
  {
    keep = true,
    address = () => fixture(version).server.url,
    connections = { Real: {} },
    otherVsix,
  }: Options = {},
): Journey {
  const names = Object.keys(connections);
  const journey = useWorkbench(() => ({
    vsix: fs.existsSync(vsixPath) ? vsixPath : packVsix(),
    ...(otherVsix && { otherVsix: otherVsix() }),
    machineSettings: {
      "mindsdbWorkbench.connections": names.map((name) => {
        return { id: name.toLowerCase(), name, address: address(), ...connections[name] };
      }),
    },
  }));
  before("sign in", async () => {
    const { quickInput } = journey.workbench;
    for (const name of names) {
      await journey.workbench.command("MindsDB: Sign In…");
      if (names.length > 1) await quickInput.row(name).click();
      await quickInput.signIn(ACCOUNT, { keep });
    }
  });
  return journey;
}
