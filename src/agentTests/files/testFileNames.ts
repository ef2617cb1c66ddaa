/** Test files, and promptfoo's configurations, which are left alone unless their provider is an agent. */
export const testFileGlob = "**/{*.agent-test,promptfooconfig*}.{yaml,yml}";

/** Never searched. */
export const ignoredFolders = "**/{node_modules,.git}/**";

export function isTestFile(path: string): boolean {
  return /(^|[\\/])([^\\/]*\.agent-test|promptfooconfig[^\\/]*)\.ya?ml$/.test(path);
}

/** Whether a path is one of a file that is for agents only. */
export function isAgentTestFile(path: string): boolean {
  return /\.agent-test\.ya?ml$/.test(path);
}
