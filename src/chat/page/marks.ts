// Marks in an answer what also stands in a step of its run, and leads there. It does not say that it comes from there.
import { element } from "../../shared/page/dom.ts";
import { fill } from "../../shared/page/reading.ts";
import { Observed, type Also, type Place } from "../alsoIn.ts";
import type { TimedStep } from "../transcript.ts";
import { tableOf } from "./observationTable.ts";
import type { Words } from "./words.ts";

/** So much of what a run was given is looked through, in characters. */
const MOST_OBSERVED = 400_000;

const MOST_MARKS = 200;

/** Each `yield` is a place to pause. */
export function* markAlso(
  steps: TimedStep[],
  answer: HTMLElement,
  words: Words,
  goTo: (place: Place) => void,
): Generator<void> {
  const observed = new Observed();
  let left = MOST_OBSERVED;
  for (const [step, { parts }] of steps.entries()) {
    for (const [part, content] of parts.entries()) {
      if (content.kind !== "observation" || content.text.length > left) continue;
      left -= content.text.length;
      yield;
      const place = { step, part };
      const table = tableOf(content)?.table;
      if (!table) observed.addText(content.text, place);
      for (const [row, cells] of table?.rows.entries() ?? []) {
        for (const [column, cell] of cells.entries()) {
          observed.addValue(cell, { ...place, row, column });
        }
      }
    }
  }
  const marks: HTMLElement[] = [];
  for (const node of textsOf(answer)) {
    yield;
    for (const also of observed
      .find(node.data)
      .slice(0, MOST_MARKS - marks.length)
      .reverse()) {
      marks.push(wrap(node, also, words, goTo));
    }
  }
  const [first] = answer.querySelectorAll<HTMLElement>(".also");
  if (first) first.tabIndex = 0;
  answer.addEventListener("keydown", (event) => handleMarkKeys(event, answer));
}

function textsOf(answer: HTMLElement): Text[] {
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest("a, button")) found.push(node);
  }
  return found;
}

/** Puts a mark around a piece of a text node; what follows it becomes a node of its own. */
function wrap(
  node: Text,
  { from, to, place }: Also,
  words: Words,
  goTo: (place: Place) => void,
): HTMLElement {
  const piece = node.splitText(from);
  piece.splitText(to - from);
  const { step, row } = place;
  const { alsoInRow, alsoInStep } = words.texts;
  const numbers = [step, row ?? 0].map((index) => words.count(index + 1));
  const mark = element("span", {
    class: "also",
    role: "button",
    title: fill(row === undefined ? alsoInStep : alsoInRow, ...numbers),
  });
  mark.tabIndex = -1;
  piece.replaceWith(mark);
  mark.append(piece);
  mark.addEventListener("click", () => goTo(place));
  return mark;
}

/** Tab stops once; arrows go from mark to mark. */
function handleMarkKeys(event: KeyboardEvent, answer: HTMLElement): void {
  const current = event.target;
  if (!(current instanceof HTMLElement) || !current.matches(".also")) return;
  const marks = [...answer.querySelectorAll<HTMLElement>(".also")];
  const steps: Partial<Record<string, number>> = {
    ArrowRight: 1,
    ArrowDown: 1,
    ArrowLeft: -1,
    ArrowUp: -1,
  };
  const step = steps[event.key];
  if (step !== undefined) marks[marks.indexOf(current) + step]?.focus();
  else if (event.key === "Enter" || event.key === " ") current.click();
  else return;
  event.preventDefault();
}
