// Attributes that the engine describes on demand.
import * as l10n from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Code, Collapsible, Table } from "../../shared/page/parts.tsx";
import { maxAttributeLength } from "../maxAttributeLength.ts";
import type { AttributeAnswer, ModelDescription } from "../modelPage.ts";

interface AttributePartProps {
  name: string;
  /** The attribute is asked for again with each new description. */
  description: ModelDescription;
  /** A new object when the user asks for this attribute by its name. */
  wanted: object | undefined;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  describe: (name: string) => Promise<unknown>;
}

/** Requests the attribute when it is opened. */
export function AttributePart(props: AttributePartProps) {
  const { name, description, wanted, isOpen, setOpen, describe } = props;
  const part = useRef<HTMLDetailsElement>(null);
  const [answer, setAnswer] = useState<AttributeAnswer>();
  useLayoutEffect(() => {
    if (wanted) part.current?.scrollIntoView({ block: "nearest" });
  }, [wanted]);
  useEffect(() => setAnswer(undefined), [description]);
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCurrent = true;
    void describe(name).then((given) => {
      if (isCurrent) setAnswer(given as AttributeAnswer | undefined);
    });
    return () => {
      isCurrent = false;
    };
  }, [isOpen, description, wanted]);
  return (
    <Collapsible
      kind="folded"
      part={`attribute ${name}`}
      summary={<h2>{l10n.t("Engine details: {0}", name)}</h2>}
      isOpen={isOpen}
      setOpen={setOpen}
      element={part}
    >
      <div class="folded-body">
        <AttributeBody name={name} answer={answer} />
      </div>
    </Collapsible>
  );
}

/** A table, one long text, a note that there is none, or the failure. */
function AttributeBody({ name, answer }: { name: string; answer: AttributeAnswer | undefined }) {
  if (!answer) return <p class="hint">{loadingText()}</p>;
  const { table, failure } = answer;
  if (!table) return <p class="hint">{failure}</p>;
  const [row] = table.rows;
  if (!row) return <p class="hint">{l10n.t("No data.")}</p>;
  const isOneText = table.rows.length === 1 && row.length === 1;
  return isOneText ? (
    <Code label={name} text={row[0] ?? ""} />
  ) : (
    <Table name={name} head={table.columns} rows={table.rows} />
  );
}

/** Says that the engine is being asked. */
export function loadingText(): string {
  return l10n.t("Asking the server about this model. Older servers take up to a minute.");
}

/** Requests an attribute by its name, because servers describe more attributes than they list. */
export function AttributeForm({ ask }: { ask: (name: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const name = input.current?.value.trim() ?? "";
    if (name !== "") ask(name);
  };
  return (
    <form class="attribute-form" onSubmit={submit}>
      <label for="attribute-name">{l10n.t("Attribute")}</label>
      <div class="attribute-row">
        <input
          class="input"
          id="attribute-name"
          ref={input}
          maxLength={maxAttributeLength}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="attribute-hint"
        />
        <button class="secondary-button" type="submit">
          {l10n.t("Describe")}
        </button>
      </div>
      <p class="hint" id="attribute-hint">
        {l10n.t("Some servers support more attributes than they list.")}
      </p>
    </form>
  );
}
