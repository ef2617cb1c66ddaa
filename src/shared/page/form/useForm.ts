import * as l10n from "@vscode/l10n";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { AnyForm, FormCalls, FormState, Problem } from "../../formPage.ts";
import type { Host } from "../../pageProtocol.ts";
import { omitFormSecrets, omitTypedSecrets } from "../../typedSecrets.ts";
import { formatNumber } from "../l10n.ts";
import { save } from "../webview.ts";

type Keys = Record<string, string>;

/** The page's state of a form. */
interface PageDraft<Draft, Field> {
  /** The form's. */
  id: string;
  draft: Draft;
  /** The typed keys, which are stored nowhere else. */
  keys: Keys;
  /** Keys that were typed before the page was hidden. */
  hadKeys: Record<string, boolean>;
  /** Fields that the user has left. Invalid values of the others are not reported yet. */
  visited: ReadonlySet<Field>;
  /** The user has tried to send the draft. */
  isTried: boolean;
  /** The failure whose field was changed since. */
  fixed?: Problem | undefined;
}

interface FormOptions<Form extends AnyForm, Field extends string> {
  state: FormState<Form, Field>;
  host: Host<FormCalls<Form["draft"]>>;
  /** Returns errors and warnings of the draft. */
  findProblems: (
    draft: Form["draft"],
    page: Pick<PageDraft<Form["draft"], Field>, "keys" | "hadKeys" | "visited">,
  ) => Problem<Field>[];
  /** Further problems, which do not keep the draft from being sent. */
  notices?: readonly (Problem<Field> | undefined)[];
  /** Completes the draft when a field is left, and before it is used. */
  complete?: (draft: Form["draft"]) => Form["draft"];
  /** The draft without keys that were typed into its texts: what is stored. */
  omitKeys?: (draft: Form["draft"], unchanged?: object) => Form["draft"];
}

/** A form as its fields and its frame see it. */
export interface FormControls<Draft extends object, Field extends string> {
  element: RefObject<HTMLElement | null>;
  draft: Draft;
  keys: Keys;
  hadKeys: Record<string, boolean>;
  status: string;
  /** `field` is the one that the user has changed, if it is called otherwise than in the draft. */
  change: (change: Partial<Draft>, field?: Field) => void;
  changeKey: (name: string, key: string, field: Field) => void;
  leave: (field: Field) => void;
  send: () => void;
  /** Checks the draft like `send`, calls the host with it and the keys, and shows the status that it returns. */
  submit: (call: (draft: Draft, keys: Record<string, string>) => Promise<unknown>) => void;
  /** Completes the draft, calls the host with it, and shows the status that it returns. */
  callWithDraft: (
    call: (draft: Draft, hadKeys: Record<string, boolean>) => Promise<unknown>,
  ) => void;
  /** The problems to show, errors before warnings; those of fields that are not shown are the form's. */
  problemsAt: (field: Field | "form") => Problem<Field>[];
  runProblemAction: (title: string) => void;
}

let isPointerDown = false;
window.addEventListener("pointerdown", () => (isPointerDown = true), { capture: true });
window.addEventListener("pointerup", () => (isPointerDown = false), { capture: true });
window.addEventListener("pointercancel", () => (isPointerDown = false), { capture: true });

/** Runs `work` when the click under way has reached its target: a new message can move that. */
function afterPointer(work: () => void): void {
  if (!isPointerDown) work();
  else window.addEventListener("pointerup", () => setTimeout(work, 0), { once: true });
}

export function useForm<Form extends AnyForm, Field extends string>({
  state,
  host,
  findProblems,
  notices = [],
  complete = (draft) => draft,
  omitKeys = omitTypedSecrets,
}: FormOptions<Form, Field>): FormControls<Form["draft"], Field> {
  type Draft = Form["draft"];
  const { form, failure, loadError } = state;
  const element = useRef<HTMLElement>(null);
  const page = useRef<PageDraft<Draft, Field> | undefined>(undefined);
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const [status, setStatus] = useState("");
  if (page.current?.id !== form.id) {
    const { id, draft, hadKeys = {} } = form;
    page.current = { id, draft, hadKeys, keys: {}, visited: new Set(), isTried: false };
  }
  const own = page.current;
  const shownFields = useShownFields(element, redraw);

  const set = (change: Partial<PageDraft<Draft, Field>>): void => {
    page.current = { ...page.current!, ...change };
    redraw();
  };
  const listTypedKeys = (): Record<string, boolean> => {
    const { keys, hadKeys } = page.current!;
    const typed = Object.entries(keys).map(([name, key]) => [name, key !== ""] as const);
    return { ...Object.fromEntries(typed), ...onlyTrue(hadKeys) };
  };
  const storedForm = useMemo(() => omitFormSecrets(form, omitKeys), [form.id]);
  const saveDraft = (): void => {
    const draft = omitKeys(page.current!.draft);
    save({ form: { ...storedForm, draft, hadKeys: listTypedKeys() } });
  };
  const noteChange = (fields: string[]): void => {
    const isFixed = failure && (failure.field === "form" || fields.includes(failure.field));
    if (isFixed) set({ fixed: failure });
    setStatus("");
    saveDraft();
    // The host has what the form began with.
    void host.change(omitKeys(page.current!.draft, form.initial ?? form.before), listTypedKeys());
  };
  const change = (changes: Partial<Draft>, field?: Field): void => {
    set({ draft: { ...page.current!.draft, ...changes } });
    noteChange(field === undefined ? Object.keys(changes) : [field]);
  };
  const completeDraft = (): Draft => {
    const { draft } = page.current!;
    const completed = complete(draft);
    if (completed !== draft) change(completed);
    return completed;
  };
  const show = (answer: unknown): void => {
    // What failed has no status, and must not show an earlier one.
    setStatus(typeof answer === "string" ? answer : "");
  };
  const placeOf = ({ field }: Problem<Field>): Field | "form" =>
    shownFields.has(field) ? field : "form";
  const focusAt = (field: Field | "form"): void => {
    const place = placeOf({ field, text: "" });
    const row = element.current?.querySelector(
      place === "form" ? ".top" : `[data-field="${place}"]`,
    );
    const control = row?.querySelector<HTMLElement>("input, select, textarea, button") ?? row;
    if (control instanceof HTMLElement) control.focus();
    row?.scrollIntoView({ block: "nearest" });
  };

  useEffect(saveDraft, [form.id]);
  useLayoutEffect(() => {
    if (failure) focusAt(failure.field);
  }, [failure]);

  const isDue = ({ field, isWarning, isMissing = false, isEarly }: Problem<Field>): boolean =>
    own.isTried ||
    isEarly === true ||
    (!isMissing && (isWarning === true || (field !== "form" && own.visited.has(field))));
  const shown = [
    ...findProblems(own.draft, own).filter(isDue),
    ...[loadError, ...notices, failure === own.fixed ? undefined : failure].filter(
      (notice) => notice !== undefined,
    ),
  ].sort((a, b) => Number(a.isWarning ?? false) - Number(b.isWarning ?? false));

  const submit = (call: (draft: Draft, keys: Keys) => Promise<unknown>): void => {
    if (state.sending !== undefined) return;
    const draft = completeDraft();
    const { keys } = page.current!;
    set({ isTried: true });
    const wrong = findProblems(draft, page.current!).filter(({ isWarning }) => !isWarning);
    const [first] = wrong;
    if (!first) {
      void call(draft, trimmed(keys)).then(show);
      return;
    }
    const count = new Set(wrong.map(({ field }) => field)).size;
    setStatus(
      count === 1
        ? l10n.t("1 field needs attention.")
        : l10n.t("{0} fields need attention.", formatNumber(count)),
    );
    focusAt(first.field);
  };

  return {
    element,
    ...own,
    status,
    change,
    changeKey: (name, key, field) => {
      set({ keys: { ...page.current!.keys, [name]: key } });
      noteChange([field]);
    },
    leave: (field) =>
      afterPointer(() => {
        completeDraft();
        set({ visited: new Set([...page.current!.visited, field]) });
      }),
    send: () => submit(host.send),
    submit,
    callWithDraft: (call) => void call(completeDraft(), listTypedKeys()).then(show),
    problemsAt: (field) => shown.filter((problem) => placeOf(problem) === field),
    runProblemAction: (title) => void host.runProblemAction(title),
  };
}

/** The fields on the page. */
function useShownFields(element: RefObject<HTMLElement | null>, redraw: () => void): Set<string> {
  const names = useRef("");
  useLayoutEffect(() => {
    const rows = element.current?.querySelectorAll<HTMLElement>("[data-field]") ?? [];
    const found = Array.from(rows, ({ dataset }) => dataset["field"]).join(" ");
    if (found === names.current) return;
    names.current = found;
    redraw();
  });
  return new Set(names.current.split(" "));
}

function onlyTrue(flags: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(flags).filter(([, isSet]) => isSet));
}

function trimmed(keys: Keys): Keys {
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.trim()]));
}
