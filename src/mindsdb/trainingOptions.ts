// Options after USING, as MindsDB's parser reads them (seen on 26.1.0 and 25.14.1).
import { sqlLiteral } from "./sql/sqlWithValues.ts";

export type TrainingOption = string | number | boolean | readonly TrainingOption[] | OptionObject;
interface OptionObject {
  readonly [name: string]: TrainingOption;
}

/** True for a name that needs no quotes; it may have dots. */
export function isOptionName(name: string): boolean {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name);
}

/** A value as SQL; undefined if SQL cannot express it: after USING the parser accepts no negative number. */
export function optionLiteral(value: TrainingOption): string | undefined {
  if (typeof value === "string") return sqlLiteral(value);
  if (typeof value === "number") return value < 0 ? undefined : sqlLiteral(value);
  if (typeof value === "boolean") return String(value);
  const text = JSON.stringify(value);
  // In a text in there, the parser knows no escapes.
  return /[\\']|[[:,]-/.test(text) ? undefined : text;
}

/** Whether a statement can hold the value of a parameter. */
export function isParameterValue(value: unknown): boolean {
  return optionLiteral(value as TrainingOption) !== undefined;
}
