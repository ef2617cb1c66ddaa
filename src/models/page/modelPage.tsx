// The page of one model. A deleted model can only be refreshed; its description stays visible.
import * as l10n from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { Button, Picker } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save, savedState } from "../../shared/page/webview.ts";
import type { ModelContent, ModelDescription, VersionChoice, modelCalls } from "../modelPage.ts";
import { AttributeForm, AttributePart, loadingText } from "./attributes.tsx";
import { Description } from "./description.tsx";
import "./model.css";

type Props = PageProps<ItemState & ModelContent, typeof modelCalls>;

/** The saved state of the page. */
interface Saved {
  /** Sections that are open. */
  opened?: Record<string, boolean>;
  /** Attributes that the user asked for by name. */
  asked?: string[];
}

/** Poll intervals during training, in ms; they grow from the first to the last. */
const firstPoll = 2_000;
const lastPoll = 30_000;

function ModelView({ state, host }: Props) {
  const { item, connection, isGone, description, chosen, progress, notice } = state;
  const saved: Saved = savedState();
  const [opened, setOpened] = useState(saved.opened ?? {});
  const [asked, setAsked] = useState(saved.asked ?? []);
  /** The attribute that was asked for last: it is scrolled to, and asked for once more if it was open. */
  const [wanted, setWanted] = useState<{ name: string }>();
  const setOpen = (part: string, isOpen: boolean): void =>
    setOpened((before) => ({ ...before, [part]: isOpen }));
  useEffect(() => save({ opened, asked }), [opened, asked]);
  useEffect(() => save({ version: chosen }), [chosen]);
  useEffect(
    () => (description?.isTraining && !notice ? poll(host.poll) : undefined),
    [description, notice],
  );

  const attributes = new Set([...(description?.attributes ?? []), ...asked]);
  const askFor = (name: string): void => {
    if (!attributes.has(name)) setAsked([...asked, name]);
    setOpen(`attribute ${name}`, true);
    setWanted({ name });
  };
  return (
    <ItemFrame
      state={state}
      host={host}
      place={l10n.t("Model in {0} on {1}", item.project, connection)}
      loading={loadingText()}
      tools={description && <Tools {...{ description, isGone, host }} />}
      isRead={description !== undefined}
    >
      {description && <Description {...{ description, progress, host, opened, setOpen }} />}
      {description &&
        !isGone &&
        [...attributes].map((name) => (
          <AttributePart
            key={name}
            name={name}
            description={description}
            wanted={wanted?.name === name ? wanted : undefined}
            isOpen={opened[`attribute ${name}`] ?? false}
            setOpen={(isOpen) => setOpen(`attribute ${name}`, isOpen)}
            describe={host.describe}
          />
        ))}
      {description && description.missing !== "loading" && !isGone && (
        <AttributeForm ask={askFor} />
      )}
    </ItemFrame>
  );
}

interface ToolsProps {
  description: ModelDescription;
  isGone: boolean;
  host: Props["host"];
}

function Tools({ description, isGone, host }: ToolsProps) {
  const { version, versions, status } = description;
  // Only trained models predict. An unlisted model may be trained.
  const canPredict = !isGone && (status === "complete" || version === undefined);
  return (
    <>
      {versions.length === 1 && (
        <span class="hint">{`${l10n.t("Version")} ${String(version ?? "")}`}</span>
      )}
      {versions.length > 1 && !isGone && (
        <Picker
          label={l10n.t("Version")}
          choices={versions.map((choice) => [String(choice.version), formatVersion(choice)])}
          value={String(version)}
          change={(chosen) => void host.choose(Number(chosen))}
        />
      )}
      {canPredict && <Button label={l10n.t("What If…")} press={host.whatIf} />}
      {canPredict && <Button label={l10n.t("Predict…")} press={host.predict} />}
    </>
  );
}

function formatVersion({ version, status, active }: VersionChoice): string {
  return active
    ? l10n.t("version {0} · {1} · active", version, status)
    : l10n.t("version {0} · {1}", version, status);
}

/** Polls in growing intervals; returns a function that ends it. */
function poll(ask: () => unknown): () => void {
  let timer: number;
  const waitAndAsk = (wait: number): void => {
    timer = window.setTimeout(() => {
      ask();
      waitAndAsk(Math.min(lastPoll, wait * 1.25));
    }, wait);
  };
  waitAndAsk(firstPoll);
  return () => window.clearTimeout(timer);
}

startPage(ModelView);
