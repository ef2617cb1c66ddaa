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
}

/** A curve of predictions over the values of an input; points without a line where the values are categories. */
export function createCurve({ values, predictions, own, label, locale }: CurveData): SVGElement {
  const bounds = predictions.flatMap(({ lower, upper }) =>
    lower === undefined || upper === undefined ? [] : [String(lower), String(upper)],
  );
  const across = createAxis(values, [], locale);
  const up = createAxis(
    predictions.map(({ value }) => value),
    bounds,
    locale,
  );
  const x = (at: number): number => margin.left + at * (size.width - margin.left - margin.right);
  const y = (at: number): number =>
    size.height - margin.bottom - at * (size.height - margin.top - margin.bottom);
  const picture = draw("svg", {
    viewBox: `0 0 ${String(size.width)} ${String(size.height)}`,
    role: "img",
    "aria-label": label,
    class: "curve",
  });
  for (const { at, text } of up.labels) {
    picture.append(
      draw("line", {
        class: "grid-line",
        x1: margin.left,
        x2: size.width - margin.right,
        y1: y(at),
        y2: y(at),
      }),
      draw("text", { class: "up", x: margin.left - 8, y: y(at) + 4 }, text),
    );
  }
  for (const { at, text } of across.labels) {
    picture.append(draw("text", { class: "across", x: x(at), y: size.height - 8 }, text));
  }
  const ownAt = across.find(own);
  if (ownAt !== undefined) {
    const at = x(ownAt);
    picture.append(
      draw("line", {
        class: "own",
        x1: at,
        x2: at,
        y1: margin.top,
        y2: size.height - margin.bottom,
      }),
    );
  }
  const scale = createScale([...predictions.map(({ value }) => value), ...bounds]);
  for (const [at, { lower, upper }] of predictions.entries()) {
    if (lower === undefined || upper === undefined || !scale) continue;
    const left = x(across.positions[at]!);
    picture.append(
      draw("line", {
        class: "interval",
        x1: left,
        x2: left,
        y1: y(scale(lower)),
        y2: y(scale(upper)),
      }),
    );
  }
  const points = predictions.map(
    (_, at) => [x(across.positions[at]!), y(up.positions[at]!)] as const,
  );
  if (areNumbers(values) && scale) {
    const path = points.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join(" ");
    picture.append(draw("polyline", { class: "line", points: path }));
  }
  for (const [left, top] of points) {
    picture.append(draw("circle", { class: "point", cx: left, cy: top, r: 3 }));
  }
  return picture;
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

function areNumbers(values: readonly string[]): boolean {
  return values.every((json) => Number.isFinite(parseNumberLiteral(json)));
}

/** Where numbers are between the smallest and the largest of these, from 0 to 1; undefined if they are no numbers. */
function createScale(values: readonly string[]): ((value: number) => number) | undefined {
  if (!areNumbers(values)) return undefined;
  const numbers = values.map(parseNumberLiteral);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return (value) => (high > low ? (value - low) / (high - low) : 0.5);
}

/** `bounds` are further values that the axis includes. */
function createAxis(values: readonly string[], bounds: readonly string[], locale: string): Axis {
  const scale = createScale([...values, ...bounds]);
  if (scale) {
    const numbers = [...values, ...bounds].map(parseNumberLiteral);
    const ends = [...new Set([Math.min(...numbers), Math.max(...numbers)])];
    return {
      find: (json) => {
        const at = scale(parseNumberLiteral(json));
        return at >= 0 && at <= 1 ? at : undefined;
      },
      positions: values.map((json) => scale(parseNumberLiteral(json))),
      labels: ends.map((value) => ({
        at: scale(value),
        text: value.toLocaleString(locale, { maximumSignificantDigits: 5 }),
      })),
    };
  }
  const names = [...new Set(values)];
  const toPosition = (index: number): number => (index + 0.5) / names.length;
  const step = Math.ceil(names.length / maxLabels);
  return {
    find: (json) => (names.includes(json) ? toPosition(names.indexOf(json)) : undefined),
    positions: values.map((value) => toPosition(names.indexOf(value))),
    labels: names.flatMap((name, index) => {
      const text = parseStringLiteral(name);
      const short = text.length > maxLabelLength ? `${text.slice(0, maxLabelLength - 1)}…` : text;
      return index % step === 0 ? [{ at: toPosition(index), text: short }] : [];
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
