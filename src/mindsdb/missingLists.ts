// What to think of a list that a server does not give.
import { AppError } from "./errors.ts";

/**
 * True if the server has no such list at all: a gateway does not let the path through, or another implementation of the
 * API lacks it. Real servers have every list; their 404 says that the project is gone.
 */
export function isListAbsent(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { status, message } = error;
  if (status === 404) return !/\bproject\b/i.test(message);
  return status === 403 || status === 405;
}
