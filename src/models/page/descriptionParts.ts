// The sections of a description, the most useful ones first.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, icon, iconButton } from "../../shared/page/dom.ts";
import {
  codeBlock,
  collapsible,
  factList,
  foldedPart,
  section,
} from "../../shared/page/documentParts.ts";
import type { Figure, ModelDescription, ToHost } from "../messages.ts";
import type { ModelTexts } from "../modelTexts.ts";
import { createColumnTable, createImportanceTable } from "./descriptionTables.ts";

/** What the sections need from the page. */
export interface PageContext {
  texts: ModelTexts;
  locale: string;
  post: (message: ToHost) => void;
  isOpen: (part: string) => boolean;
  setOpen: (part: string, isOpen: boolean) => void;
  /** Attributes that the user asked for by name. */
  asked: () => readonly string[];
}

export function createDescriptionParts(
  description: ModelDescription,
  context: PageContext,
): HTMLElement[] {
  const { texts, locale } = context;
  const { importances, inputs, outputs, stages, attributes } = description;
  const parts = [createHeadline(description, context)];
  if (description.error) parts.push(createErrorNotice(description.error, context));
  const silence = createMissingNotice(description, texts);
  if (silence) parts.push(silence);
  if (importances.length > 0) {
    const hint = element("p", { class: "hint", text: texts.importancesHint });
    parts.push(section(texts.importances, hint, createImportanceTable(importances, texts, locale)));
  }
  if (inputs.length > 0) {
    parts.push(section(texts.inputs, createColumnTable(texts.inputs, inputs, texts)));
  }
  if (outputs.length > 0) {
    parts.push(section(texts.outputs, createColumnTable(texts.outputs, outputs, texts)));
  }
  if (stages.length > 0) parts.push(section(texts.stages, createStageList(stages)));
  if (description.version !== undefined) parts.push(createTrainingPart(description, context));
  const all = new Set([...attributes, ...context.asked()]);
  parts.push(...[...all].map((name) => createAttributePart(name, context)));
  return parts;
}

/** Status, target, accuracy and engine. */
function createHeadline(
  description: ModelDescription,
  { texts, locale }: PageContext,
): HTMLElement {
  const { status, target, accuracies, engine } = description;
  const tiles: HTMLElement[] = [];
  if (description.version !== undefined) {
    const statusText = element("span", {}, icon(statusIcon(status)), ` ${status}`);
    const statusTile = createTile(texts.status, statusText);
    statusTile.setAttribute("data-status", status);
    tiles.push(statusTile);
  }
  if (target !== undefined) tiles.push(createTile(texts.target, element("code", { text: target })));
  tiles.push(...accuracies.map((figure) => createAccuracyTile(figure, texts, locale)));
  if (engine !== undefined) tiles.push(createTile(texts.engine, element("span", { text: engine })));
  return element("dl", { class: "headline" }, ...tiles);
}

function createAccuracyTile(
  { name, value }: Figure,
  texts: ModelTexts,
  locale: string,
): HTMLElement {
  const figure = element("span", { class: "figure", text: formatFigure(value, locale) });
  figure.title = String(value);
  return createTile(name === "" ? texts.accuracy : name, figure);
}

function createTile(name: string, value: HTMLElement): HTMLElement {
  return element("div", {}, element("dt", { text: name }), element("dd", {}, value));
}

function statusIcon(status: string): string {
  if (status === "complete") return "pass";
  return status === "error" ? "error" : "sync";
}

/** Formats with at most six digits; the tooltip has the whole number. */
function formatFigure(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(value);
}

function createErrorNotice(
  { sentence, whole }: NonNullable<ModelDescription["error"]>,
  { texts, post, isOpen, setOpen }: PageContext,
): HTMLElement {
  const body = element(
    "div",
    { class: "text" },
    element("strong", { text: texts.trainingFailed }),
    element("p", { class: "sentence", text: sentence }),
  );
  if (whole !== undefined) {
    const text = element("div", { class: "code", text: whole });
    const details = collapsible("whole", texts.wholeError, text, isOpen("error"), (open) =>
      setOpen("error", open),
    );
    details.dataset["part"] = "error";
    body.append(details);
  }
  const copy = iconButton("copy", texts.copyError, () => post({ type: "copy", text: "error" }));
  return element("div", { class: "notice error" }, icon("error"), body, copy);
}

function createMissingNotice(
  { silence, silenceReason = "", isTraining }: ModelDescription,
  texts: ModelTexts,
): HTMLElement | undefined {
  if (silence === "asking") return element("p", { class: "hint", text: texts.asking });
  if (silence === undefined && !isTraining) return undefined;
  const sentences: string[] = [];
  if (isTraining) sentences.push(texts.training);
  if (silence !== undefined) sentences.push(formatMessage(texts.silence[silence], silenceReason));
  const message = element("div", { class: "text", text: sentences.join(" ") });
  if (isTraining) message.append(element("div", { class: "training-progress" }));
  const name = isTraining ? "sync" : silence === "failed" ? "warning" : "info";
  return element("div", { class: "notice" }, icon(name), message);
}

function createStageList(stages: string[]): HTMLElement {
  const items = stages.map((stage, index) => {
    const item = element("li", {}, element("span", { class: "stage code", text: stage }));
    if (index > 0) item.prepend(icon("arrow-right"));
    return item;
  });
  return element("ol", { class: "flow" }, ...items);
}

function createTrainingPart(description: ModelDescription, context: PageContext): HTMLElement {
  const { texts, locale, post } = context;
  const { query, options, createdAt, trainingTime, updateStatus, serverVersion } = description;
  const facts: [string, string][] = [];
  if (createdAt !== undefined) facts.push([texts.created, createdAt]);
  if (trainingTime !== undefined) {
    facts.push([texts.trainedIn, formatMessage(texts.seconds, formatFigure(trainingTime, locale))]);
  }
  if (updateStatus !== undefined) facts.push([texts.update, updateStatus.replaceAll("_", " ")]);
  if (serverVersion !== undefined) facts.push([texts.serverVersion, serverVersion]);
  const children: HTMLElement[] = [factList(facts)];
  if (query !== undefined) {
    const copy = iconButton("copy", texts.copyQuery, () => post({ type: "copy", text: "query" }));
    const open = iconButton("go-to-file", texts.openQuery, () =>
      post({ type: "open", text: "query" }),
    );
    children.push(codeBlock(texts.query, query, copy, open));
    children.push(element("p", { class: "hint", text: texts.queryHint }));
  }
  if (options !== undefined) {
    const copy = iconButton("copy", texts.copyOptions, () =>
      post({ type: "copy", text: "options" }),
    );
    children.push(codeBlock(texts.options, options, copy));
  }
  const part = foldedPart(
    texts.details,
    context.isOpen("training"),
    (isOpen) => context.setOpen("training", isOpen),
    ...children,
  );
  part.dataset["part"] = "training";
  return part;
}

/** Requests the attribute when it is opened. */
export function createAttributePart(name: string, context: PageContext): HTMLElement {
  const key = `attribute ${name}`;
  const ask = (): void => context.post({ type: "attribute", name });
  const part = foldedPart(
    formatMessage(context.texts.attribute, name),
    context.isOpen(key),
    (isOpen) => {
      context.setOpen(key, isOpen);
      if (isOpen) ask();
    },
    element("p", { class: "hint", text: context.texts.asking }),
  );
  part.dataset["part"] = key;
  part.dataset["attribute"] = name;
  return part;
}
