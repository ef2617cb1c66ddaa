// Reads a language model's failure from the Python texts that servers pass on.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readModelFailure } from "../../../src/shared/modelFailure.ts";
import { assertLinear } from "../../linearTime.ts";
import { eventsOf, recordedStreams } from "../mindsdb/stream/recorded.ts";

const of261 = (status: number, body: string) =>
  `Agent streaming failed: status_code: ${String(status)}, model_name: gpt, body: ${body}`;

describe("A language model's failure", () => {
  it("is recognized in every recorded stream that ends with one", () => {
    const found: Record<string, string> = {};
    for (const { name, bytes } of recordedStreams) {
      for (const event of eventsOf(bytes)) {
        const failure = event.type === "failed" ? readModelFailure(event.message) : undefined;
        if (!failure) continue;
        found[name] = [failure.kind, failure.status, failure.says].filter(Boolean).join(" | ");
      }
    }
    assert.deepEqual(found, {
      "25.14.1/04_llm500": "failed | 500 | stub: internal failure",
      "25.14.1/05_llm401":
        "keyRefused | 401 | Incorrect API key provided: sk-stub*****0000. You can find your API key at https://platform.openai.com/account/api-keys.",
      "25.14.1/05b_llm404":
        "modelUnknown | 404 | The model `stub-x` does not exist or you do not have access to it.",
      "25.14.1/05d_llm400": "refused | 400 | This model's maximum context length is 8192 tokens.",
      "25.14.1/05e_midfail": "failed | 500 | stub: internal failure",
      "25.14.1/05f_deadllm": "unreachable",
      "26.1.0/keepalive_llm_connection_error": "unreachable",
      "26.1.0/llm_401_at_answer": "keyRefused | 401 | stub failure 401",
      "26.1.0/llm_500_at_answer": "failed | 500 | stub failure 500",
    });
  });

  it("is classified by status and code, however the provider formats its message", () => {
    const cases: [message: string, kind: string, says: string][] = [
      [
        of261(429, "{'message': 'Slow down', 'code': 'rate_limit_exceeded'}"),
        "rateLimit",
        "Slow down",
      ],
      [of261(429, "{'message': 'Pay', 'code': 'insufficient_quota'}"), "quota", "Pay"],
      [
        of261(529, "{'error': {'type': 'overloaded_error', 'message': 'Over\\nload'}}"),
        "failed",
        "Over",
      ],
      [
        of261(403, "[{'error': {'code': 403, 'message': \"It's closed\"}}]"),
        "keyRefused",
        "It's closed",
      ],
      [of261(400, "{'error': 'model not loaded'}"), "refused", "model not loaded"],
      [of261(502, "None"), "failed", ""],
      [of261(502, "'<html>Bad gateway</html>'"), "failed", ""],
      ["status_code: 429, model_name: m, body: None", "rateLimit", ""],
      ["Error code: 429 - {'error': {'message': 'Slow'}}", "rateLimit", "Slow"],
      ["Request timed out.", "unreachable", ""],
    ];
    for (const [message, kind, says] of cases) {
      const failure = readModelFailure(message);
      assert.deepEqual([failure?.kind, failure?.says], [kind, says], message);
    }
  });

  it("is not recognized in other failures", () => {
    for (const message of [
      "",
      "Agent streaming failed: no such table",
      "Query is not allowed: DROP TABLE a",
      "The API said status_code: 429 in a column",
      "Connection error. Or was it?",
      "Agent streaming failed: status_code: 4, model_name: m",
    ]) {
      assert.equal(readModelFailure(message), undefined, message);
    }
  });

  it("is read from any text without throwing", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("{", "}", "'", '"', "\\", ":", ",", "a") }),
        (body) => {
          const failure = readModelFailure(of261(500, body));
          assert.equal(failure?.kind, "failed");
        },
      ),
    );
  });

  it("is read in linear time from any response", () => {
    for (const piece of ["{'a': ", "'", "\\", "{", "}", "[", "Connection error", "a ", ": "]) {
      const make = (size: number): string => of261(500, piece.repeat(size));
      assertLinear({ name: piece, make, run: readModelFailure });
      assertLinear({ name: piece, make: (size) => piece.repeat(size), run: readModelFailure });
    }
  });
});
