// The texts of an event: replaced, and cut for a page.
import { sliceText } from "../mindsdb/cutText.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import type { ChatEvent } from "./transcript.ts";

/** The most text of one event that a page gets, in characters. */
export const maxPageTextLength = 200_000;

/** Returns the event for a page: long texts are cut, with their whole length. */
export function trimForPage(event: ChatEvent): ChatEvent {
  switch (event.type) {
    case "asked":
    case "switched":
    case "waiting":
      return event;
    case "ended":
      return cutReasons(event);
    case "stepped":
      return { ...event, event: cutTexts(event.event) };
  }
}

/** Cuts each text; the bodies of one event share `maxPageTextLength`. */
function cutTexts(event: StepEvent): StepEvent {
  let left = maxPageTextLength;
  return mapTexts(
    event,
    (text) => sliceText(text, maxPageTextLength),
    (body) => {
      const isWhole = body.text.length <= left;
      const kept = isWhole
        ? body
        : { ...body, text: sliceText(body.text, left), length: body.text.length };
      left -= kept.text.length;
      return kept;
    },
  );
}

/** A text of any size: a part of a step, or an answer. */
interface Body {
  text: string;
  /** The length of the whole text, if `text` is cut. */
  length?: number;
}

/** Returns the event with all its texts replaced by what `mapText` returns, or `mapBody` for bodies. */
export function mapTexts(
  event: StepEvent,
  mapText: (text: string) => string,
  mapBody = <T extends Body>(body: T): T => ({ ...body, text: mapText(body.text) }),
): StepEvent {
  switch (event.type) {
    case "step": {
      const step = { ...event.step, parts: event.step.parts.map((part) => mapBody(part)) };
      if (step.tool !== undefined) step.tool = mapText(step.tool);
      if (step.label !== undefined) step.label = mapText(step.label);
      return { type: "step", step };
    }
    case "add":
      return { ...event, parts: event.parts.map((part) => mapBody(part)) };
    case "answer":
      return mapBody(event);
    case "failed": {
      const failed = { ...event, message: mapText(event.message) };
      if (failed.detail !== undefined) failed.detail = mapText(failed.detail);
      return failed;
    }
    case "end":
      return event;
  }
}

function cutReasons(event: Extract<ChatEvent, { type: "ended" }>): ChatEvent {
  const ended = { ...event };
  if (ended.reason !== undefined) ended.reason = sliceText(ended.reason, maxPageTextLength);
  if (ended.detail !== undefined) ended.detail = sliceText(ended.detail, maxPageTextLength);
  return ended;
}
