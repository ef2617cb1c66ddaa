// The cache folder for downloads and installations. It is outside the clone, so that clones share it.
import os from "node:os";
import path from "node:path";

/** The cache folder: `$MINDSDB_WORKBENCH_CACHE`, else `mindsdb-workbench` under `$XDG_CACHE_HOME` or `~/.cache`. */
export function cacheFolder(): string {
  const own = process.env["MINDSDB_WORKBENCH_CACHE"];
  if (own) return path.resolve(own);
  const base = process.env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache");
  return path.join(base, "mindsdb-workbench");
}
