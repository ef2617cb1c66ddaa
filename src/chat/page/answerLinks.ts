// Links values of an answer to steps that contain them too. This does not prove that they come from there.
import * as l10n from "@vscode/l10n";
import { element } from "../../shared/page/dom.ts";
import { ObservedValues, type AnswerMatches, type MatchPlace } from "../answerMatches.ts";
import { summarizeStep } from "../stepSummary.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { TimedStep } from "../transcript.ts";
import { partTable } from "./observationTable.tsx";
import type { ChatTextFormatter } from "../chatTextFormatter.ts";

/** How much observed text of a run is searched, in characters. */
const maxObserved = 400_000;

const maxLinks = 200;

/** Longer texts are sentences. They get a citation, so that an answer does not look like a page of links. */
const maxUnderlined = 40;

/** For a step's name, in characters. */
const maxNameLength = 80;

/** Adds the links; each `yield` is a place to pause. */
export function* addAnswerLinks(
  steps: TimedStep[],
  answer: HTMLElement,
  formatter: ChatTextFormatter,
  goTo: (place: MatchPlace) => void,
): Generator<void> {
  const name = nameSteps(steps, formatter);
  const observed = new ObservedValues();
  let left = maxObserved;
  for (const [step, { parts }] of steps.entries()) {
    for (const [part, content] of parts.entries()) {
      if (content.kind !== "observation" || content.text.length > left) continue;
      left -= content.text.length;
      yield;
      const place = { step, part };
      const table = partTable(content)?.table;
      if (!table) observed.addText(content.text, place);
      for (const [row, cells] of table?.rows.entries() ?? []) {
        for (const [column, cell] of cells.entries()) {
          observed.addValue(cell, { ...place, row, column });
        }
      }
    }
  }
  let links = 0;
  const citations = new Map<string, number>();
  for (const node of readTexts(answer)) {
    yield;
    const found = joinSentences(observed.find(node.data), node.data).slice(0, maxLinks - links);
    links += found.length;
    const marks = found.map(({ from, to, place }) => {
      const title = formatTitle(place, name, formatter);
      const mark = element("span", { class: "also", role: "button", title });
      mark.tabIndex = -1;
      mark.addEventListener("click", () => goTo(place));
      if (to - from > maxUnderlined) cite(mark, place, citations);
      return mark;
    });
    // From the end, because splitting a text leaves its beginning.
    for (const [at, { from, to }] of [...found.entries()].reverse()) {
      insert(node, from, to, marks[at]!);
    }
  }
  const [first] = answer.querySelectorAll<HTMLElement>(".also");
  if (first) first.tabIndex = 0;
  answer.addEventListener("keydown", (event) => handleMarkKeys(event, answer));
}

function readTexts(answer: HTMLElement): Text[] {
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.parentElement?.closest("a, button, .part")) found.push(node);
  }
  return found;
}

/** Names steps by their labels, with their summaries if several have the same label. */
function nameSteps(steps: TimedStep[], formatter: ChatTextFormatter): (step: number) => string {
  const counts = new Map<string, number>();
  for (const step of steps) {
    const label = formatter.step(step);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return (index) => {
    const step = steps[index];
    if (!step) return "";
    const label = formatter.step(step);
    const hint = counts.get(label) === 1 ? "" : summarizeStep(step).text;
    return oneLine(hint === "" ? label : `${label}: ${hint}`, maxNameLength);
  };
}

function formatTitle(
  { step, row }: MatchPlace,
  name: (step: number) => string,
  formatter: ChatTextFormatter,
): string {
  if (row === undefined) return l10n.t("Also in “{0}”", name(step));
  return l10n.t("Also in “{0}”, row {1}", name(step), formatter.count(row + 1));
}

/** Makes a mark a citation: its style sheet shows the number, which is no part of the answer's text. */
function cite(mark: HTMLElement, { step, part, row }: MatchPlace, citations: Map<string, number>) {
  const key = JSON.stringify([step, part, row]);
  const number = citations.get(key) ?? citations.size + 1;
  citations.set(key, number);
  mark.classList.add("citation");
  mark.dataset["number"] = String(number);
}

/** Leaves one of the sentences that follow each other in the same place: one citation is enough. */
function joinSentences(found: AnswerMatches[], text: string): AnswerMatches[] {
  const joined: AnswerMatches[] = [];
  for (const match of found) {
    const before = joined.at(-1);
    const follows =
      before &&
      text.slice(before.to, match.from).trim() === "" &&
      before.place.step === match.place.step &&
      before.place.part === match.place.part &&
      before.place.row === match.place.row;
    if (follows) joined[joined.length - 1] = { ...before, to: match.to };
    else joined.push(match);
  }
  return joined;
}

/** Puts a citation after a range of a text node, any other mark around it. */
function insert(node: Text, from: number, to: number, mark: HTMLElement): void {
  const rest = node.splitText(to);
  if (mark.classList.contains("citation")) {
    rest.before(mark);
    return;
  }
  const piece = node.splitText(from);
  piece.replaceWith(mark);
  mark.append(piece);
}

/** Tab stops once; arrow keys move between links. */
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
