// Tolerant decoding: what a server sends is checked, a row that makes no sense is left out, unknown fields are kept.
import * as v from "valibot";
import { AppError } from "./errors.ts";

/** The rows of a list answer that fit; throws AppError "badAnswer" if the answer is no list, or if no row of it fits. */
export function decodeList<Schema extends v.GenericSchema>(
  row: Schema,
  answer: unknown,
): v.InferOutput<Schema>[] {
  if (!Array.isArray(answer)) {
    throw new AppError("badAnswer", "The server sent something other than a list.", {
      detail: JSON.stringify(answer)?.slice(0, 4_000),
    });
  }
  const rows = answer.flatMap((item: unknown) => {
    const parsed = v.safeParse(row, item);
    return parsed.success ? [parsed.output] : [];
  });
  if (rows.length === 0 && answer.length > 0) {
    throw new AppError("badAnswer", "The server sent a list whose rows make no sense.", {
      detail: JSON.stringify(answer[0])?.slice(0, 4_000),
    });
  }
  return rows;
}

/** One object; throws AppError "badAnswer" if it does not fit. */
export function decodeOne<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer);
  if (parsed.success) return parsed.output;
  throw new AppError("badAnswer", "The server's answer is not what this request promises.", {
    detail: JSON.stringify(answer)?.slice(0, 4_000),
  });
}

/** A text that may be null, absent or of another type. */
export const optionalText = v.fallback(v.optional(v.string()), undefined);
/** A number that may be null, absent or of another type. */
export const optionalNumber = v.fallback(v.optional(v.number()), undefined);
/** A list of texts that may be null, absent or of another type. */
export const optionalTexts = v.fallback(v.optional(v.array(v.string())), undefined);
