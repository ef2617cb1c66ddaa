// Recognizes servers that do not have a list.
import { AppError } from "./errors.ts";

/**
 * True if the server does not have the list at all: a gateway blocks the path, or another implementation of the
 * API lacks it. MindsDB has every list; its 404 means that the project does not exist.
 */
export function isListAbsent(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { status, message } = error;
  if (status === 404) return !/\bproject\b/i.test(message);
  return status === 403 || status === 405;
}

/** For `catch` of a list: null if the server does not have it. Throws any other error. */
export function nullIfAbsent(error: unknown): null {
  if (isListAbsent(error)) return null;
  throw error;
}
