// The page of a form around its own fields: head, problems, footer, and the request's progress.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnyForm, FormCalls, FormState } from "../../formPage.ts";
import type { Host } from "../../pageProtocol.ts";
import { useFocus } from "../itemFrame.tsx";
import { Button, Icon } from "../parts.tsx";
import { save, savedState } from "../webview.ts";
import { hasError, Problems } from "./fields.tsx";
import "./form.css";
import type { FormControls } from "./useForm.ts";

interface FormFrameProps<Form extends AnyForm, Field extends string> {
  state: FormState<Form, Field>;
  host: Host<FormCalls<Form["draft"]>>;
  form: FormControls<Form["draft"], Field>;
  title: string;
  /** The line below the title. */
  place: string;
  intro: string;
  /** The title of the button that sends. */
  send: string;
  /** A button beside it that only tries. */
  test?: { title: string; press: () => void };
  /** Says how long the request has been running. */
  formatSending: (seconds: string) => string;
  /** Actions of the Copy menu. */
  copies?: [title: string, copy: () => void][];
  /** Replaces the form after success, with next steps, the best one first. */
  done?: { title: string; note: string; next: [title: string, press: () => unknown][] } | undefined;
  children: ComponentChildren;
}

/** The server of a form, and the project of an item that exists. */
export function formatPlace(connection: string, project?: string): string {
  return project === undefined
    ? l10n.t("On {0}", connection)
    : l10n.t("In {0} on {1}", project, connection);
}

export function FormFrame<Form extends AnyForm, Field extends string>(
  props: FormFrameProps<Form, Field>,
) {
  const { state, host, form, done, title, place, intro, children } = props;
  const { element } = form;
  const isSending = state.sending !== undefined;
  const top = form.problemsAt("form");
  const scroller = useScrollPosition(state.form);
  useFocus(element);
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.send();
    }
    if (event.key === "Escape" && isSending) void host.cancel();
  };
  if (done) {
    return (
      <main class="form created" ref={element}>
        <div class="page">
          <h1>
            <Icon name="pass-filled" />
            {done.title}
          </h1>
          <p class="intro">{done.note}</p>
          <div class="row">
            {done.next.map(([label, go], at) => (
              <Button
                key={label}
                kind={at === 0 ? "primary" : "secondary"}
                isFirst={at === 0}
                label={label}
                press={go}
              />
            ))}
          </div>
        </div>
      </main>
    );
  }
  return (
    <main class="form" ref={element} onKeyDown={press}>
      <div class="scroller" ref={scroller}>
        <div class="page">
          <header>
            <h1>{title}</h1>
            <p class="place">{place}</p>
            <p class="intro">{intro}</p>
          </header>
          {state.keptNote !== undefined && (
            <div class="kept-draft" role="status">
              <Icon name="info" />
              <span class="text">{state.keptNote}</span>
              <Button label={l10n.t("Start Over")} press={host.startOver} />
            </div>
          )}
          <div
            class={hasError(top) ? "problem top" : "problem warning top"}
            role="alert"
            tabIndex={-1}
            hidden={top.length === 0}
          >
            <Problems problems={top} run={form.runProblemAction} />
          </div>
          <div class="fields" inert={isSending}>
            {children}
          </div>
        </div>
      </div>
      <Footer {...props} />
    </main>
  );
}

function Footer<Form extends AnyForm, Field extends string>(props: FormFrameProps<Form, Field>) {
  const { state, host, form, send, test, formatSending, copies = [] } = props;
  const { sending } = state;
  const isSending = sending !== undefined;
  const footer = useRef<HTMLElement>(null);
  const wasSending = useRef(false);
  // The fields lose the focus while the request runs, and get it back if it fails.
  useLayoutEffect(() => {
    const hasFailed = state.failure !== undefined;
    if (isSending || (wasSending.current && !hasFailed)) {
      footer.current?.querySelector("button")?.focus();
    }
    wasSending.current = isSending;
  }, [isSending]);
  return (
    <footer class="actions" ref={footer}>
      {isSending && <div class="bar" />}
      <div class="row">
        {isSending ? (
          <Button key="cancel" label={l10n.t("Cancel")} press={host.cancel} />
        ) : (
          <>
            <Button key="send" kind="primary" label={send} press={form.send} />
            {test && <Button key="test" label={test.title} press={test.press} />}
          </>
        )}
        <div class="status" role="status">
          {isSending ? formatSending(sending.toLocaleString()) : form.status}
        </div>
        <div class="copy">
          {copies.map(([label, copy]) => (
            <Button key={label} kind="link" label={label} press={copy} />
          ))}
        </div>
      </div>
    </footer>
  );
}

/** Saves the scroll position, and returns to it; another form begins at its top, but for a changed one. */
function useScrollPosition({ id, before }: AnyForm) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const { form, scroll } = savedState() as { form?: { id?: string }; scroll?: unknown };
    const saved = isFirst.current && form?.id === id && typeof scroll === "number" ? scroll : 0;
    if (isFirst.current || !before) element.scrollTop = saved;
    isFirst.current = false;
    const saveScroll = (): void => save({ scroll: element.scrollTop });
    saveScroll();
    element.addEventListener("scroll", saveScroll, { passive: true });
    return () => element.removeEventListener("scroll", saveScroll);
  }, [id]);
  return scroller;
}
