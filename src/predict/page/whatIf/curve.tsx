import * as l10n from "@vscode/l10n";
import { cutOff } from "../../../mindsdb/cutText.ts";
import { formatNumber } from "../../../shared/page/l10n.ts";
import { parseNumberLiteral, parseStringLiteral } from "../../rows/jsonLiteral.ts";
import type { VariedRow, WhatIfInput } from "../../whatIf/whatIfPage.ts";

/** In pixels, as are the margins, which hold the labels of the axes. */
const size = { width: 680, height: 308 };
const margin = { left: 88, right: 16, top: 48, bottom: 40 };

/** Labels of categories that fit below the axis. */
const maxLabels = 8;
const maxLabelLength = 12;
/** Of a value in the table: hundreds of long ones take seconds to draw. */
const maxCellLength = 200;

interface TableProps {
  input: WhatIfInput;
  varied: VariedRow;
}

interface CurveProps extends TableProps {
  /** The input's value on the page, as JSON. */
  present: string;
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
export function Curve({ input, present, varied }: CurveProps) {
  const { over, predictions } = varied;
  const predicted = predictions.map(({ value }) => value);
  const bounds = predictions.flatMap(({ lower, upper }) =>
    lower === undefined || upper === undefined ? [] : [String(lower), String(upper)],
  );
  const across = createAxis(over);
  const up = createAxis(predicted, bounds);
  const isChanged = present !== input.own;
  const marks = [
    { kind: "own", json: input.own, text: l10n.t("was {0}", formatValue(input.own)), row: 0 },
    { kind: "present", json: present, text: l10n.t("now {0}", formatValue(present)), row: 1 },
  ].flatMap((mark) => {
    const at = mark.kind === "own" || isChanged ? across.find(mark.json) : undefined;
    return at === undefined ? [] : [{ ...mark, at }];
  });
  const points = predictions.map((prediction, at) => ({
    ...prediction,
    left: toLeft(across.positions[at] ?? 0),
    top: toTop(up.positions[at] ?? 0),
  }));
  const path = points.map(({ left, top }) => `${left.toFixed(1)},${top.toFixed(1)}`).join(" ");
  const toBound = (bound: number): number => toTop(up.find(String(bound)) ?? 0);
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${String(size.width)} ${String(size.height)}`}
      role="img"
      aria-label={labelOf({ input, varied })}
    >
      <Labels across={across} up={up} />
      <text class="title" x={margin.left} y={12}>
        {varied.target}
      </text>
      <text
        class="title below"
        x={(margin.left + size.width - margin.right) / 2}
        y={size.height - 4}
      >
        {input.name}
      </text>
      {marks.map(({ kind, text, row, at }) => {
        // few: the two marks
        const isBefore = isLeft(at, marks.find((other) => other.kind !== kind)?.at);
        return (
          <g key={kind}>
            <Vertical class={kind} left={toLeft(at)} from={28 + 14 * row} to={toTop(0)} />
            <text
              class={`mark ${isBefore ? "before" : ""}`}
              x={toLeft(at) + (isBefore ? -4 : 4)}
              y={28 + 14 * row}
            >
              {isChanged ? text : formatValue(input.own)}
            </text>
          </g>
        );
      })}
      {up.isScale &&
        points.map(({ left, lower, upper }, at) =>
          lower === undefined || upper === undefined ? null : (
            <Vertical
              key={at}
              class="interval"
              left={left}
              from={toBound(lower)}
              to={toBound(upper)}
            />
          ),
        )}
      {across.isScale && up.isScale && <polyline class="line" points={path} />}
      {points.map(({ left, top }, at) => (
        <circle key={at} class="point" cx={left} cy={top} r={3} />
      ))}
    </svg>
  );
}

function labelOf({ input, varied }: TableProps): string {
  return l10n.t("{0} by {1}", varied.target, input.name);
}

/** Whether a mark has its label at its left: away from the other mark, and within the picture. */
function isLeft(at: number, other = 0.5): boolean {
  if (at < 0.15 || at > 0.85) return at > 0.5;
  return at < other;
}

function formatValue(json: string, maxLength = maxLabelLength): string {
  return cutOff(parseStringLiteral(json), maxLength);
}

/** Pixels for a position from 0 to 1. */
function toLeft(position: number): number {
  return margin.left + position * (size.width - margin.left - margin.right);
}

function toTop(position: number): number {
  return size.height - margin.bottom - position * (size.height - margin.top - margin.bottom);
}

function Labels({ across, up }: { across: Axis; up: Axis }) {
  return (
    <>
      {up.labels.map(({ at, text }) => (
        <g key={at}>
          <line
            class="grid-line"
            x1={margin.left}
            x2={size.width - margin.right}
            y1={toTop(at)}
            y2={toTop(at)}
          />
          <text class="up" x={margin.left - 8} y={toTop(at) + 4}>
            {text}
          </text>
        </g>
      ))}
      {across.labels.map(({ at, text }) => (
        <text key={at} class="across" x={toLeft(at)} y={size.height - 24}>
          {text}
        </text>
      ))}
    </>
  );
}

function Vertical(props: { class: string; left: number; from: number; to: number }) {
  const { class: name, left, from, to } = props;
  return <line class={name} x1={left} x2={left} y1={from} y2={to} />;
}

/** The same as a table. */
export function CurveTable({ input, varied }: TableProps) {
  return (
    <table aria-label={labelOf({ input, varied })}>
      <thead>
        <tr>
          <th scope="col">{input.name}</th>
          <th scope="col">{varied.target}</th>
        </tr>
      </thead>
      <tbody>
        {varied.over.map((value, at) => (
          <tr key={at}>
            <td>{formatValue(value, maxCellLength)}</td>
            <td>{formatValue(varied.predictions[at]?.value ?? "", maxCellLength)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `bounds` are further values that the axis includes. */
function createAxis(values: readonly string[], bounds: readonly string[] = []): Axis {
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
        text: formatNumber(value, { maximumSignificantDigits: 5 }),
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
      const text = formatValue(name);
      return index % step === 0 ? [{ at: toPosition(index), text }] : [];
    }),
  };
}
