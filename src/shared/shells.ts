// Arguments of commands to copy, for the shell that they are pasted into.

/** `posix` is sh, bash, zsh and their like; `other` are shells whose rules are not known here. */
export type Shell = "posix" | "fish" | "powershell" | "cmd" | "other";

/** Returns the kind of a shell by its path, such as that of VS Code's default terminal. */
export function getShell(path: string): Shell {
  const name = /([^/\\]*?)(?:\.exe)?$/i.exec(path.slice(-1_000))?.[1]?.toLowerCase() ?? "";
  if (/^(?:|sh|bash|zsh|dash|ash|ksh|mksh)$/.test(name)) return "posix";
  if (name === "fish" || name === "cmd") return name;
  return name === "pwsh" || name === "powershell" ? "powershell" : "other";
}

/**
 * Returns the text as one argument. Undefined where that cannot be done safely: cmd reads arguments of batch files, such
 * as npx, twice, and a terminal obeys control characters in what is pasted.
 */
export function quoteArgument(text: string, shell: Shell): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return undefined;
  if (/^[\p{L}\p{N}_. -]+$/u.test(text)) return `"${text}"`;
  switch (shell) {
    case "posix":
      return `'${text.replaceAll("'", String.raw`'\''`)}'`;
    case "fish":
      return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
    case "powershell":
      // It takes typographic quotes for plain ones, and Windows PowerShell passes double quotes on unescaped.
      return text.includes('"') ? undefined : `'${text.replace(/['‘’‚‛]/g, "$&$&")}'`;
    case "cmd":
    case "other":
      return undefined;
  }
}
