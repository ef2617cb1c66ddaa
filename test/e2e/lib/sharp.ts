// sharp writes pictures in fewer bytes than a browser does. It is large, so it is installed when pictures are made.
import { createRequire } from "node:module";
import path from "node:path";
import { installCachedPackage } from "../../../scripts/cachedPackage.ts";

interface Picture {
  png(options: { palette: boolean; effort: number }): Picture;
  webp(options: Record<string, unknown>): Picture;
  toBuffer(): Promise<Buffer>;
}

/** As much of it as is used here: where it is not installed, its types are not either. */
export type Sharp = (
  pictures: string | Buffer[],
  options?: { join: { animated: boolean } },
) => Picture;

export async function loadSharp(): Promise<Sharp> {
  const folder = await installCachedPackage("sharp", "0.35.5");
  return createRequire(path.join(folder, "package.json"))("sharp") as Sharp;
}
