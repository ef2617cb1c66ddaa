// Asks for the values of a file's parameters. Those that look like secrets are not remembered.
import * as vscode from "vscode";
import { sqlParametersKey } from "../../ids.ts";
import type { Secrets } from "../../mindsdb/redact/redact.ts";
import { isSecretKeyInSql, mask } from "../../mindsdb/redact/secretNames.ts";
import { askText } from "../../shared/host/quickInput.ts";
import { findParameters, parameterLiteral } from "../sqlFile/sqlParameters.ts";

/** Values that are remembered, and the characters of each. */
const maxValues = 200;
const maxValue = 1_000;

export interface ParameterValues {
  /** The SQL of each value, by the parameter's name. */
  literals: ReadonlyMap<string, string>;
  /** Each as it was typed, for the user to see: without secrets. */
  shown: ReadonlyMap<string, string>;
  /** A statement with the values, for the user to see: with masks for secrets. */
  hideSecrets: (statement: string) => string;
}

interface AskOptions {
  state: vscode.Memento;
  /** The connection's: servers repeat statements in errors. */
  secrets: Pick<Secrets, "add" | "redact">;
  /** Shows a place in one of the statements, while the user is asked for the value there. */
  reveal: (statement: number, offset: number) => void;
}

/** Undefined if the user cancels. */
export async function askParameters(
  statements: readonly string[],
  { state, secrets, reveal }: AskOptions,
): Promise<ParameterValues | undefined> {
  const places = new Map<string, [statement: number, offset: number]>();
  for (const [at, statement] of statements.entries()) {
    for (const { name, start } of findParameters(statement)) {
      if (!places.has(name)) places.set(name, [at, start]);
    }
  }
  const names = [...places.keys()];
  const literals = new Map<string, string>();
  const shown = new Map<string, string>();
  const hidden: string[] = [];
  const values = new Map(Object.entries(state.get<Record<string, string>>(sqlParametersKey) ?? {}));
  for (const [index, name] of names.entries()) {
    const isSecret = isSecretKeyInSql(name);
    reveal(...places.get(name)!);
    const value = await askText({
      title: vscode.l10n.t("Value of :{0}", name),
      prompt: vscode.l10n.t("A number or text. A number in single quotes is sent as text."),
      value: isSecret ? "" : (values.get(name) ?? ""),
      password: isSecret,
      ...(names.length > 1 && { step: { now: index + 1, of: names.length } }),
      accept: (typed) => {
        const isPossible = parameterLiteral(typed) !== undefined;
        const problem = vscode.l10n.t("SQL can't express quotes or backslashes like these.");
        return Promise.resolve(isPossible ? undefined : problem);
      },
    });
    const literal = typeof value === "string" ? parameterLiteral(value) : undefined;
    if (typeof value !== "string" || literal === undefined) return undefined;
    literals.set(name, literal);
    if (isSecret) {
      secrets.add(value);
      // A number is no secret, and would hide others.
      if (literal.length > 2 && literal.startsWith("'")) hidden.push(literal);
    }
    const isKept = !isSecret && value.length <= maxValue && secrets.redact(value) === value;
    // Those that were used last are kept.
    values.delete(name);
    if (isKept) values.set(name, value);
    shown.set(name, isKept ? value : "…");
  }
  if (names.length > 0) {
    await state.update(sqlParametersKey, Object.fromEntries([...values].slice(-maxValues)));
  }
  const hideSecrets = (statement: string): string =>
    hidden.reduce((left, literal) => left.replaceAll(literal, () => `'${mask}'`), statement);
  return { literals, shown, hideSecrets };
}
