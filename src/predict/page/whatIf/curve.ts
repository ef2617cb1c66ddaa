import { cutOff } from "../../../mindsdb/cutText.ts";
import { columnHeader, element } from "../../../shared/page/dom.ts";
import { parseNumberLiteral, parseStringLiteral } from "../../rows/jsonLiteral.ts";
import type { Prediction } from "../../whatIf/messages.ts";

const namespace = "http://www.w3.org/2000/svg";

/** In pixels, as are the margins, which hold the labels of the axes. */
const size = { width: 680, height: 260 };
const margin = { left: 88, right: 16, top: 12, bottom: 28 };

/** Labels of categories that fit below the axis. */
const maxLabels = 8;
const maxLabelLength = 12;

interface CurveData {
  /** The values of the input and the predictions for them, as JSON. */
  values: readonly string[];
  predictions: readonly Prediction[];
  /** The row's own value, as JSON. */
  own: string;
  label: string;
  locale: string;
}

/** Positions of values along an axis, and its labels. */
interface Axis {
  positions: number[];
  labels: { at: number; text: string }[];
  /** The position of a value; undefined if the axis does not include it. */
  find: (json: string) => number | undefined;
  /** Whether the values are numbers, and not categories. */
  isScale: boolean;
}

/** A curve of predictions over the values of an input; points without a line where the values are categories. */
export function createCurve({ values, predictions, own, label, locale }: CurveData): SVGElement {
  const predicted = predictions.map(({ value }) => value);
  const bounds = predictions.flatMap(({ lower, upper }) =>
    lower === undefined || upper === undefined ? [] : [String(lower), String(upper)],
  );
  const across = createAxis(values, [], locale);
  const up = createAxis(predicted, bounds, locale);
  const ownAt = across.find(own);
  const points = predictions.map((prediction, at) => ({
    ...prediction,
    left: toLeft(across.positions[at] ?? 0),
    top: toTop(up.positions[at] ?? 0),
  }));
  const path = points.map(({ left, top }) => `${left.toFixed(1)},${top.toFixed(1)}`).join(" ");
  const picture = draw("svg", {
    viewBox: `0 0 ${String(size.width)} ${String(size.height)}`,
    role: "img",
    "aria-label": label,
    class: "curve",
  });
  picture.append(
    ...drawLabels(across, up),
    ...(ownAt === undefined ? [] : [drawVertical("own", toLeft(ownAt), toTop(1), toTop(0))]),
    ...points.flatMap(({ left, lower, upper }) => {
      if (lower === undefined || upper === undefined || !up.isScale) return [];
      const [from, to] = [lower, upper].map((bound) => toTop(up.find(String(bound)) ?? 0));
      return [drawVertical("interval", left, from!, to!)];
    }),
    ...(across.isScale && up.isScale ? [draw("polyline", { class: "line", points: path })] : []),
    ...points.map(({ left, top }) => draw("circle", { class: "point", cx: left, cy: top, r: 3 })),
  );
  return picture;
}

/** Pixels for a position from 0 to 1. */
function toLeft(position: number): number {
  return margin.left + position * (size.width - margin.left - margin.right);
}

function toTop(position: number): number {
  return size.height - margin.bottom - position * (size.height - margin.top - margin.bottom);
}

function drawLabels(across: Axis, up: Axis): SVGElement[] {
  const [x1, x2] = [margin.left, size.width - margin.right];
  return [
    ...up.labels.flatMap(({ at, text }) => {
      const y = toTop(at);
      return [
        draw("line", { class: "grid-line", x1, x2, y1: y, y2: y }),
        draw("text", { class: "up", x: margin.left - 8, y: y + 4 }, text),
      ];
    }),
    ...across.labels.map(({ at, text }) =>
      draw("text", { class: "across", x: toLeft(at), y: size.height - 8 }, text),
    ),
  ];
}

function drawVertical(className: string, left: number, y1: number, y2: number): SVGElement {
  return draw("line", { class: className, x1: left, x2: left, y1, y2 });
}

/** The same as a table. */
export function createCurveTable(
  { values, predictions, label }: CurveData,
  head: readonly [input: string, target: string],
): HTMLTableElement {
  const rows = values.map((value, at) =>
    element(
      "tr",
      {},
      element("td", { text: parseStringLiteral(value) }),
      element("td", { text: parseStringLiteral(predictions[at]?.value ?? "") }),
    ),
  );
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...head.map(columnHeader))),
    element("tbody", {}, ...rows),
  );
  table.setAttribute("aria-label", label);
  return table;
}

/** `bounds` are further values that the axis includes. */
function createAxis(values: readonly string[], bounds: readonly string[], locale: string): Axis {
  const numbers = [...values, ...bounds].map(parseNumberLiteral);
  if (numbers.every(Number.isFinite)) {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const scale = (value: number): number => (high > low ? (value - low) / (high - low) : 0.5);
    return {
      isScale: true,
      find: (json) => {
        const at = scale(parseNumberLiteral(json));
        return at >= 0 && at <= 1 ? at : undefined;
      },
      positions: values.map((json) => scale(parseNumberLiteral(json))),
      labels: [...new Set([low, high])].map((value) => ({
        at: scale(value),
        text: value.toLocaleString(locale, { maximumSignificantDigits: 5 }),
      })),
    };
  }
  const names = [...new Set(values)];
  const toPosition = (index: number): number => (index + 0.5) / names.length;
  const positionOf = new Map(names.map((name, index) => [name, toPosition(index)]));
  const step = Math.ceil(names.length / maxLabels);
  return {
    isScale: false,
    find: (json) => positionOf.get(json),
    positions: values.map((value) => positionOf.get(value)!),
    labels: names.flatMap((name, index) => {
      const text = cutOff(parseStringLiteral(name), maxLabelLength);
      return index % step === 0 ? [{ at: toPosition(index), text }] : [];
    }),
  };
}

function draw(
  name: string,
  attributes: Record<string, string | number>,
  text?: string,
): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
