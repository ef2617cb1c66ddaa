import type { AppError } from "../../mindsdb/errors.ts";
import { isUntrained } from "../../mindsdb/predict.ts";

/**
 * The reaction of a prediction run to a failed request.
 * - split: the server refused these rows together; send them in smaller batches.
 * - wait: the rows did not arrive; retry automatically.
 * - ask: the rows were not processed, and only the user can help.
 * - askUnsure: the rows may have been processed; the user decides whether to send them again.
 * - end: no other rows would be accepted.
 */
type FailureReaction = "split" | "wait" | "ask" | "askUnsure" | "end";

export function chooseReaction(error: AppError): FailureReaction {
  const { kind, status = 0 } = error;
  switch (kind) {
    case "serverFault":
      return isUntrained(error) ? "end" : "split";
    case "refused":
      if (status === 429) return "wait";
      return status === 400 || status === 422 ? "split" : "end";
    case "tooLarge":
      return "split";
    case "unreachable":
      return status === 0 ? "wait" : "askUnsure";
    case "timeout":
    case "cutOff":
    case "badAnswer":
    case "notMindsDB":
      return "askUnsure";
    case "signInNeeded":
    case "signInRefused":
    case "certificate":
    case "proxy":
      return "ask";
    case "address":
    case "notFound":
    case "conflict":
    case "sql":
    case "readOnly":
    case "mayCost":
    case "agentFailed":
    case "notUtf8":
      return "end";
  }
}
