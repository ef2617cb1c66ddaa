// A chart of a result's first rows: bars, a line or points, with the same values as a table.
import * as l10n from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cutOff } from "../../../mindsdb/cutText.ts";
import { formatNumber } from "../../../shared/page/l10n.ts";
import { Picker, Table } from "../../../shared/page/parts.tsx";
import type { ResultColumn, ResultRow } from "../../messages.ts";
import {
  chartKinds,
  heightOf,
  maxChartRows,
  numberColumns,
  readChartData,
  type ChartData,
  type ChartKind,
} from "../../sqlFile/chartData.ts";

/** In pixels: room for the labels of the axes. */
const margin = { left: 88, right: 16, top: 12, bottom: 28 };
/** Pixels for a label below the axis, and its characters. */
const labelWidth = 88;
const maxLabelLength = 12;
/** Characters of a cell of the table: laying out a thousand cells of all that a window may have takes seconds. */
const maxCellLength = 200;

interface ChartProps {
  columns: readonly ResultColumn[];
  /** The number of rows of the result. */
  count: number;
  /** Returns the first rows. */
  read: () => Promise<readonly ResultRow[]>;
}

export function Chart({ columns, count, read }: ChartProps) {
  const [rows, setRows] = useState<readonly ResultRow[]>([]);
  const numbers = numberColumns(columns);
  const [kind, setKind] = useState<ChartKind>("bar");
  const [x, setX] = useState(0);
  const [y, setY] = useState(numbers.find((column) => column !== 0) ?? numbers[0] ?? 0);
  useEffect(() => {
    let isOpen = true;
    void read().then((found) => isOpen && setRows(found));
    return () => void (isOpen = false);
  }, [count]);
  const data = useMemo(() => readChartData(kind, rows, x, y), [kind, rows, x, y]);
  const nameOf = (column: number): string => cutOff(columns[column]?.name ?? "", 80);
  const choices = (of: readonly number[]): [string, string][] =>
    of.map((column) => [String(column), nameOf(column)]);
  if (numbers.length === 0) return <p>{l10n.t("The result has no column of numbers.")}</p>;
  const texts = { bar: l10n.t("Bar"), line: l10n.t("Line"), scatter: l10n.t("Scatter") };
  const name = l10n.t("{0} by {1}", nameOf(y), nameOf(x));
  return (
    <div class="chart">
      <div class="chart-choices">
        <Picker
          label={l10n.t("Chart type")}
          choices={chartKinds.map((one) => [one, texts[one]])}
          value={kind}
          change={(value) => setKind(value as ChartKind)}
        />
        <label>
          {l10n.t("Values")}{" "}
          <Picker choices={choices(numbers)} value={String(y)} change={(at) => setY(Number(at))} />
        </label>
        <label>
          {l10n.t("X axis")}{" "}
          <Picker
            choices={choices([...columns.keys()])}
            value={String(x)}
            change={(at) => setX(Number(at))}
          />
        </label>
        {count > maxChartRows && (
          <span class="quiet">{l10n.t("First {0} rows", formatNumber(maxChartRows))}</span>
        )}
      </div>
      <Picture kind={kind} data={data} name={name} />
      <details>
        <summary>{l10n.t("Show as Table")}</summary>
        <Table
          name={name}
          head={[nameOf(x), nameOf(y)]}
          rows={data.points.map(({ label, text }) => [
            cutOff(label, maxCellLength),
            cutOff(text, maxCellLength),
          ])}
        />
      </details>
    </div>
  );
}

interface Size {
  width: number;
  height: number;
}

interface PictureProps {
  kind: ChartKind;
  data: ChartData;
  name: string;
}

/** Draws in the room that the view leaves, so that texts keep their size and nothing is cut. */
function Picture(props: PictureProps) {
  const room = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      setSize({ width: Math.max(width, 200), height: Math.max(height, 80) });
    });
    observer.observe(room.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={room} class="picture">
      {size && <Drawing {...props} size={size} />}
    </div>
  );
}

function Drawing({ kind, data, name, size }: PictureProps & { size: Size }) {
  const { points } = data;
  const innerWidth = size.width - margin.left - margin.right;
  const innerHeight = size.height - margin.top - margin.bottom;
  /** Pixels for a height from 0 to 1. */
  const toTop = (height: number): number => size.height - margin.bottom - height * innerHeight;
  const width = Math.max(1, Math.min(40, (0.7 * innerWidth) / Math.max(1, points.length)));
  const places = points.map(({ across, value }) => ({
    left: margin.left + across * innerWidth,
    top: toTop(heightOf(data, value)),
  }));
  const zero = toTop(Math.max(0, Math.min(1, heightOf(data, 0))));
  return (
    <svg width={size.width} height={size.height} role="img" aria-label={name}>
      {points.length > 0 &&
        [...new Set([data.low, data.high])].map((value) => {
          const top = toTop(heightOf(data, value));
          return (
            <g key={value}>
              <line
                class="rule"
                x1={margin.left}
                x2={size.width - margin.right}
                y1={top}
                y2={top}
              />
              <text class="up" x={margin.left - 8} y={top + 4}>
                {formatLimit(value, data)}
              </text>
            </g>
          );
        })}
      {labelsOf(data, Math.max(2, Math.floor(innerWidth / labelWidth))).map(
        ({ across, text }, at) => (
          <text
            key={at}
            class="across"
            x={margin.left + across * innerWidth}
            y={size.height - margin.bottom + 18}
          >
            {text}
          </text>
        ),
      )}
      {kind === "line" && (
        <polyline
          class="line"
          points={places.map(({ left, top }) => `${left.toFixed(1)},${top.toFixed(1)}`).join(" ")}
        />
      )}
      {places.map(({ left, top }, at) =>
        kind === "bar" ? (
          <rect
            key={at}
            class="mark"
            x={left - width / 2}
            width={width}
            y={Math.min(top, zero)}
            height={Math.max(1, Math.abs(zero - top))}
          />
        ) : (
          <circle key={at} class="mark" cx={left} cy={top} r={kind === "line" ? 2 : 3} />
        ),
      )}
    </svg>
  );
}

/** With more digits where both limits would look the same. */
function formatLimit(value: number, { low, high }: ChartData): string {
  const [short, ...others] = [value, low, high].map((limit) =>
    formatNumber(limit, { maximumSignificantDigits: 5 }),
  );
  const isSame = low !== high && others[0] === others[1];
  return isSame ? formatNumber(value, { maximumSignificantDigits: 15 }) : short!;
}

function labelsOf(
  { points, isScale }: ChartData,
  maxLabels: number,
): { across: number; text: string }[] {
  const step = isScale ? Math.max(1, points.length - 1) : Math.ceil(points.length / maxLabels);
  const sorted = isScale ? [...points].sort((a, b) => a.across - b.across) : points;
  const labels = sorted.flatMap(({ label, across }, index) =>
    index % step === 0 ? [{ across, text: cutOff(label, maxLabelLength) }] : [],
  );
  // Each bar has its own label. Where there is no room for that, the first of neighbors with one value tells it.
  if (step === 1) return labels;
  return labels.filter(({ text }, index) => text !== labels[index - 1]?.text);
}
