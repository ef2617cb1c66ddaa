// The parts of a step's body, with their buttons.
import * as l10n from "@vscode/l10n";
import { render, type ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import type { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { colorCode, type CodeLanguage } from "../../shared/codeColors.ts";
import { ColoredCode } from "../../shared/page/coloredCode.tsx";
import { Button, IconButton } from "../../shared/page/parts.tsx";
import { textPieces } from "../../shared/textChunks.ts";
import type { TextRef } from "../chatPage.ts";
import { formatPartKind, formatRowLimit } from "../chatTextFormatter.ts";
import { findLimitedSql, mayHaveMoreRows } from "../serverRowLimit.ts";
import type { TimedStep } from "../transcript.ts";
import { findViewQuery } from "../viewQuery.ts";
import { formatRowCount, ObservationGrid, partTable } from "./observationTable.tsx";
import type { PageContext } from "./pageContext.ts";

/** Longer texts scroll in a box, in characters. */
const maxOpenTextLength = 1_000;

interface StepBodyProps {
  step: TimedStep;
  run: number;
  context: PageContext;
  /** Gets the grids of results that are tables, by part. */
  grids: Map<number, TextTableGrid>;
}

/** Draws a step's parts, or those that it has got since. */
export function drawStepBody(place: HTMLElement, props: StepBodyProps): void {
  render(<StepBody {...props} />, place);
}

function StepBody({ step, run, context, grids }: StepBodyProps) {
  const isLimited = findLimitedSql(step) !== undefined;
  return (
    <>
      {step.parts.map((part, at) => (
        <Part
          key={at}
          part={part}
          text={{ of: "part", run, step: step.n - 1, part: at }}
          isLimited={part.kind === "observation" && isLimited}
          context={context}
          onGrid={(grid) => grids.set(at, grid)}
        />
      ))}
    </>
  );
}

interface PartProps {
  part: StepPart;
  /** Identifies its whole text on the host. */
  text: TextRef;
  /** Instead of the name of its kind. */
  name?: string;
  /** Whether the part is the result of a query that the server limited. */
  isLimited: boolean;
  context: PageContext;
  onGrid?: (grid: TextTableGrid) => void;
}

/** A part with its title and buttons. */
export function Part({ part, text, isLimited, context, onGrid, ...given }: PartProps) {
  const { name = formatPartKind(part.kind) } = given;
  const { host } = context;
  const [isText, setText] = useState(false);
  const found = useMemo(() => partTable(part), [part]);
  const viewQuery = useMemo(() => findViewQuery(part), [part]);
  // Long texts take time to draw, and few tables are shown as text.
  const isTextDrawn = useRef(false);
  isTextDrawn.current ||= !found || isText;
  const hasMore =
    found !== undefined && isLimited && mayHaveMoreRows(found.table.rows.length, found.isWhole);
  const count = found && formatRowCount(found, context, hasMore || !found.isWhole);
  return (
    <section class={`part ${part.kind}`}>
      <div class="part-head">
        <span>{count === undefined ? name : `${name} · ${count}`}</span>
        <div class="tools">
          {found && (
            <IconButton
              hasWords
              icon="symbol-string"
              label={l10n.t("Show as Text")}
              isPressed={isText}
              press={() => setText(!isText)}
            />
          )}
          <IconButton hasWords icon="copy" label={l10n.t("Copy")} press={() => host.copy(text)} />
          {part.kind === "sql" && (
            <IconButton
              hasWords
              icon="go-to-file"
              label={l10n.t("Open in Editor")}
              press={() => host.open(text)}
            />
          )}
          {viewQuery !== undefined && (
            <IconButton
              hasWords
              class="create-view"
              icon="table"
              label={l10n.t("Create View…")}
              press={() => host.createView(text)}
            />
          )}
          {found && (
            <IconButton
              hasWords
              icon="export"
              label={l10n.t("Export…")}
              press={() => host.export(text)}
            />
          )}
        </div>
      </div>
      {found && (
        <ObservationGrid table={found.table} isHidden={isText} context={context} onGrid={onGrid} />
      )}
      {isTextDrawn.current && (
        <div hidden={found && !isText}>
          <PartText part={part} name={name} />
        </div>
      )}
      {hasMore && (
        <p class="row-limit">
          {formatRowLimit()}{" "}
          <Button
            kind="link"
            label={l10n.t("Open Query in Notebook")}
            press={() => host.runWithoutLimit(text)}
          />
        </p>
      )}
      {(part.length !== undefined || found?.isWhole === false) && (
        <WholeTextButton length={part.length ?? part.text.length} text={text} context={context} />
      )}
    </section>
  );
}

interface WholeTextButtonProps {
  /** Of the whole text. */
  length: number;
  text: TextRef;
  context: PageContext;
}

/** For a text that is cut. */
export function WholeTextButton({ length, text, context }: WholeTextButtonProps) {
  const { formatter, host } = context;
  const label = l10n.t("Open Whole Text ({0} characters)", formatter.count(length));
  return <Button kind="link" label={label} press={() => host.open(text)} />;
}

function PartText({ part: { kind, text }, name }: { part: StepPart; name: string }) {
  if (text.trim() === "") return <p class="empty">{l10n.t("Empty")}</p>;
  const shown = kind === "thought" || kind === "text" ? "prose" : "code";
  const content = <PartContent kind={kind} text={text.trimEnd()} />;
  if (text.length <= maxOpenTextLength) return <div class={shown}>{content}</div>;
  return (
    <ScrollingBox class={shown} label={name}>
      {content}
    </ScrollingBox>
  );
}

function PartContent({ kind, text }: { kind: StepPart["kind"]; text: string }) {
  const language = kind === "sql" ? "sql" : guessLanguage(kind, text);
  const pieces = useMemo(() => language && colorCode(text, language), [text, language]);
  return pieces ? <ColoredCode pieces={pieces} /> : <LongText text={text} />;
}

/** Tools get JSON, and some answer with it. */
function guessLanguage(kind: StepPart["kind"], text: string): CodeLanguage | undefined {
  const mayBeJson = kind === "input" || kind === "observation" || kind === "raw";
  return mayBeJson && /^\s*[{[]/.test(text) ? "json" : undefined;
}

interface ScrollingBoxProps {
  class: string;
  label: string;
  children: ComponentChildren;
}

/** Can be scrolled by keyboard. */
export function ScrollingBox({ class: className, label, children }: ScrollingBoxProps) {
  return (
    <div class={`${className} scrolls`} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** Plain text, in blocks if it is long. */
export function LongText({ text }: { text: string }) {
  const pieces = useMemo(() => [...textPieces(text)], [text]);
  if (pieces.length === 1) return <>{text}</>;
  return (
    <>
      {pieces.map((piece, at) => (
        <div key={at} class="piece">
          {piece}
        </div>
      ))}
    </>
  );
}
