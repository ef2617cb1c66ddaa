/** Runs npm without its chatter and answers what it printed on stdout; what else it says is in the error if it fails. */
export function npm(args: string[], cwd: string): Promise<string>;
