/**
 * Returns the command line that runs a test file with promptfoo. One question at a time: 26.x loses answers to several
 * (seen on 26.1.0). A file may have any name, and the command is pasted into a shell.
 */
export function writePromptfooCommand(fileName: string): string {
  const isPlain = /^[\w. -]+$/.test(fileName);
  const quoted = isPlain ? `"${fileName}"` : `'${fileName.replaceAll("'", String.raw`'\''`)}'`;
  return `npx promptfoo@0.123 eval -j 1 -c ${quoted}`;
}
