/** How the names of files with a saved agent run end. */
export const savedRunEnding = ".mindsdb-run.json";
