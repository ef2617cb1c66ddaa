import { quoteArgument, type Shell } from "../shared/shells.ts";

/**
 * Returns the command line that runs a test file with promptfoo. One question at a time: 26.x loses answers to several
 * (seen on 26.1.0). Undefined if the file's name cannot be pasted safely into the shell.
 */
export function writePromptfooCommand(fileName: string, shell: Shell): string | undefined {
  const quoted = quoteArgument(fileName, shell);
  return quoted && `npx promptfoo@0.123 eval -j 1 -c ${quoted}`;
}
