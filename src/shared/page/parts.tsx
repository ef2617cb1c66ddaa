// Building blocks of pages: icons, buttons, notices, sections, facts, code, tables.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren, Ref } from "preact";
import { cutOff } from "../../mindsdb/cutText.ts";
import type { Notice } from "../itemPage.ts";
import type { ResponseField } from "../responseFields.ts";

/** Hidden from screen readers. */
export function Icon({ name, class: className = "" }: { name: string; class?: string }) {
  return <i class={`codicon codicon-${name} ${className}`} aria-hidden="true" />;
}

interface ButtonProps {
  label: string;
  press: () => unknown;
}

interface IconButtonProps extends ButtonProps {
  icon: string;
  class?: string;
  /** Whether the label is shown too, where there is room for it. */
  hasWords?: boolean;
  isDisabled?: boolean;
  isHidden?: boolean;
  /** For a button that switches something on and off. */
  isPressed?: boolean;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, press, class: className = "", hasWords, ...states } = props;
  const { isDisabled, isHidden, isPressed } = states;
  return (
    <button
      type="button"
      class={`icon-button${hasWords ? " with-words" : ""} ${className}`.trim()}
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      hidden={isHidden}
      onClick={() => void press()}
    >
      <Icon name={icon} />
      {hasWords && <span class="words">{label}</span>}
    </button>
  );
}

interface TextButtonProps extends ButtonProps {
  kind?: "primary" | "secondary" | "link";
  class?: string;
  /** The name for screen readers, where the label alone is on several buttons. */
  fullLabel?: string;
  isDisabled?: boolean;
  /** The page's focus begins here. */
  isFirst?: boolean;
}

export function Button(props: TextButtonProps) {
  const { label, fullLabel, press, kind = "secondary", isDisabled, isFirst = false } = props;
  return (
    <button
      type="button"
      class={`${kind}-button ${props.class ?? ""}`.trim()}
      aria-label={fullLabel}
      data-first={isFirst || undefined}
      disabled={isDisabled}
      onClick={() => void press()}
    >
      {label}
    </button>
  );
}

interface SelectProps {
  id?: string;
  /** Without it, a label around it or with its id names it. */
  label?: string;
  describedBy?: string;
  value: string;
  isWrong?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** The page's focus begins here. */
  isFirst?: boolean | undefined;
  change: (value: string) => void;
}

/** A native list of choices that looks like VS Code's own; `children` are its options. */
export function NativeSelect(props: SelectProps & { children: ComponentChildren }) {
  const { id, label, describedBy, value, isWrong, isDisabled, isFirst = false } = props;
  return (
    <div class="select">
      <select
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isWrong}
        value={value}
        disabled={isDisabled}
        data-first={isFirst || undefined}
        onChange={({ currentTarget }) => props.change(currentTarget.value)}
      >
        {props.children}
      </select>
      <Icon name="chevron-down" />
    </div>
  );
}

type PickerProps = SelectProps & { choices: [value: string, text: string][] };

/** Characters of a choice: laying out a list of long ones takes seconds. */
const maxChoice = 200;

/** A choice of few. */
export function Picker({ choices, ...props }: PickerProps) {
  return (
    <NativeSelect {...props}>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === props.value}>
          {cutOff(text, maxChoice)}
        </option>
      ))}
    </NativeSelect>
  );
}

interface SectionProps {
  title: string;
  /** Beside the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ title, tools, children }: SectionProps) {
  return (
    <section class="section">
      {tools ? (
        <div class="code-head">
          <h2>{title}</h2>
          {tools}
        </div>
      ) : (
        <h2>{title}</h2>
      )}
      {children}
    </section>
  );
}

interface FactsProps {
  /** Side by side (`glance`), or one below the other. */
  kind: "glance" | "facts";
  facts: [name: string, value: ComponentChildren][];
}

export function Facts({ kind, facts }: FactsProps) {
  return (
    <dl class={kind}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Focusable, so that it can be scrolled by keyboard. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <div class="code block" role="region" aria-label={label} tabIndex={0}>
      {text}
    </div>
  );
}

interface CodeBlockProps {
  title: string;
  text: string;
  tools: ComponentChildren;
}

/** Code with its title and its buttons. */
export function CodeBlock({ title, text, tools }: CodeBlockProps) {
  return (
    <div class="code-block">
      <div class="code-head">
        <h3>{title}</h3>
        <div class="tools">{tools}</div>
      </div>
      <Code label={title} text={text} />
    </div>
  );
}

interface CollapsibleProps {
  /** Its class; `folded` is a section. */
  kind: string;
  /** Its name among the parts of the page. */
  part: string;
  summary: ComponentChildren;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  element?: Ref<HTMLDetailsElement>;
  children: ComponentChildren;
}

/** Details whose summary has a mark that turns. */
export function Collapsible(props: CollapsibleProps) {
  const { kind, part, summary, isOpen, setOpen, element, children } = props;
  return (
    <details
      class={kind}
      data-part={part}
      ref={element}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" class="fold" />
        {summary}
      </summary>
      {children}
    </details>
  );
}

interface TableProps {
  name: string;
  head: string[];
  rows: ComponentChildren[][];
  class?: string;
}

export function Table({ name, head, rows, class: className = "" }: TableProps) {
  return (
    <div class={`table ${className}`} role="region" aria-label={name} tabIndex={0}>
      <table aria-label={name}>
        <thead>
          <tr>
            {head.map((title, at) => (
              <th key={at} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Characters of a name: a server can send one of a million `_`. */
const maxName = 300;

/** Breaks after each `_` where it is too long. */
export function BreakableName({ name }: { name: string }) {
  const parts = cutOff(name, maxName).split(/(?<=_)/);
  return <>{parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr />, part]))}</>;
}

/** A field with the notes below its value. */
interface NotedField extends ResponseField {
  notes: string[];
}

/** All fields of a response, under the heading `name`. */
export function FieldTable({ name, fields }: { name: string; fields: NotedField[] }) {
  const rows = fields.map((field) => [
    <span class="field-name">
      <BreakableName name={field.name} />
    </span>,
    <FieldValue {...field} />,
    <span class="quiet">{field.type}</span>,
  ]);
  const head = [l10n.t("Field"), l10n.t("Value"), l10n.t("Type")];
  return <Table name={name} head={head} rows={rows} class="fields" />;
}

function FieldValue({ value, type, notes }: NotedField) {
  const isText = type === "string";
  return (
    <div>
      {value === undefined ? (
        <div class="value absent">{l10n.t("not sent")}</div>
      ) : (
        <div class={`code value ${isText ? "" : "is-json"}`}>
          {/* An empty text must look different from an absent one. */}
          {isText && value === "" ? '""' : value}
        </div>
      )}
      {notes.map((note) => (
        <div key={note} class="note">
          {note}
        </div>
      ))}
    </div>
  );
}

/** A problem or a question, announced to screen readers at once. */
export function NoticeBox({ notice, press }: { notice: Notice; press: () => unknown }) {
  return (
    <div class={`notice ${notice.isQuestion ? "" : "error"}`} role="alert">
      <Icon name={notice.isQuestion ? "question" : "error"} />
      <div class="text">
        <Message text={notice.text} />
      </div>
      {notice.action !== undefined && <Button label={notice.action} press={press} />}
    </div>
  );
}

/** Lines after the first are in the editor's font: SQL errors mark their position with carets. */
export function Message({ text }: { text: string }) {
  const end = text.indexOf("\n");
  if (end < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, end)}
      <pre class="lines">{text.slice(end + 1).replace(/^\n/, "")}</pre>
    </>
  );
}
