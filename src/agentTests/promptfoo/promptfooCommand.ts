import { quoteArgument, type Shell } from "../../shared/shells.ts";

/** The server to ask: its address, and the environment variable with its token. */
export interface PromptfooServer {
  address: string;
  variable: string;
}

/**
 * Returns the command line that runs a test file with promptfoo, on the server in MINDSDB_URL if none is given. One
 * question at a time: 26.x loses answers to several (seen on 26.1.0). Undefined if a name cannot be pasted safely into
 * the shell.
 */
export function writePromptfooCommand(
  fileName: string,
  shell: Shell,
  server?: PromptfooServer,
): string | undefined {
  const quoted = quoteArgument(fileName, shell);
  const setting = server ? setServer(server, shell) : "";
  if (quoted === undefined || setting === undefined) return undefined;
  return `${setting}npx promptfoo@0.123 eval -j 1 -c ${quoted}`;
}

function setServer({ address, variable }: PromptfooServer, shell: Shell): string | undefined {
  if (!/^[\w.:/-]+$/.test(address)) return undefined;
  switch (shell) {
    case "powershell":
      return `$env:MINDSDB_URL='${address}'; $env:MINDSDB_TOKEN=$env:${variable}; `;
    case "cmd":
      return `set "MINDSDB_URL=${address}" & set "MINDSDB_TOKEN=%${variable}%" & `;
    case "posix":
    case "fish":
      return `env MINDSDB_URL=${address} MINDSDB_TOKEN="$${variable}" `;
    case "other":
      return undefined;
  }
}
