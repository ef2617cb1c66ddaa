// How a run ended, with the buttons for what can be done next.
import * as l10n from "@vscode/l10n";
import { Button, Icon, IconButton } from "../../shared/page/parts.tsx";
import type { AgentRun } from "../transcript.ts";
import type { PageContext } from "./pageContext.ts";
import { LongText, ScrollingBox } from "./stepParts.tsx";

const icons = {
  answered: "check",
  stopped: "stop-circle",
  failed: "error",
  cutOff: "debug-disconnect",
  noAnswer: "circle-slash",
} as const;

interface OutcomeProps {
  run: AgentRun;
  /** The title of the button for what helps; it takes the place of Ask Again, which becomes an icon. */
  offer: string | undefined;
  context: PageContext;
}

export function Outcome({ run, offer, context }: OutcomeProps) {
  const { formatter, host } = context;
  const { id, state, answer, detail } = run;
  if (state === "running") return <div class="outcome" hidden />;
  const hasIcon = state === "answered" || offer !== undefined;
  // Hidden during another run.
  const retry = { label: l10n.t("Ask Again"), class: "retry", press: () => host.retry(id) };
  return (
    <>
      <div class="outcome" data-state={state}>
        <Icon name={icons[state]} />
        <span class="sentence">{formatter.outcome(run)}</span>
        <span>
          {!hasIcon && <Button {...retry} />}
          {offer !== undefined && <Button label={offer} press={() => host.acceptOffer(id)} />}
        </span>
        <div class="tools">
          {answer && (
            <IconButton
              hasWords
              icon="copy"
              label={l10n.t("Copy Answer")}
              press={() => host.copy({ of: "answer", run: id })}
            />
          )}
          <IconButton
            hasWords
            icon="output"
            label={l10n.t("Show Raw Events")}
            press={() => host.open({ of: "events", run: id })}
          />
          {hasIcon && <IconButton hasWords icon="refresh" {...retry} />}
        </div>
      </div>
      {detail !== undefined && <Details run={id} text={detail} context={context} />}
    </>
  );
}

interface DetailsProps {
  run: number;
  text: string;
  context: PageContext;
}

/** The server's whole error text, folded. */
function Details({ run, text, context: { wasOpened, setOpened } }: DetailsProps) {
  const key = `${String(run)}/details`;
  const isOpen = wasOpened(key) ?? false;
  return (
    <details
      class="details"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== (wasOpened(key) ?? false)) setOpened(key, open);
      }}
    >
      <summary>{l10n.t("Details")}</summary>
      <ScrollingBox class="code" label={l10n.t("Details")}>
        <LongText text={text} />
      </ScrollingBox>
    </details>
  );
}
