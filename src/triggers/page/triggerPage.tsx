// The page of one trigger. A deleted trigger's data stays visible, without the buttons.
import * as l10n from "@vscode/l10n";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { Button, Code, Facts, IconButton, Section } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { triggerCalls, TriggerContent } from "../triggerPage.ts";
import "../../shared/page/documentParts.css";

function TriggerView({ state, host }: PageProps<ItemState & TriggerContent, typeof triggerCalls>) {
  const { item, connection, isGone, trigger } = state;
  return (
    <ItemFrame
      state={state}
      host={host}
      place={l10n.t("Trigger in {0} on {1}", item.project, connection)}
      loading={l10n.t("Loading the trigger")}
      tools={!isGone && trigger && <Button label={l10n.t("Delete…")} press={host.remove} />}
      isRead={trigger !== undefined}
    >
      {trigger && (
        <>
          <Facts
            kind="glance"
            facts={[
              [l10n.t("Data source"), trigger.source ?? l10n.t("disconnected")],
              [l10n.t("Table"), trigger.table],
            ]}
          />
          {trigger.lastError !== undefined && (
            <Section title={l10n.t("Last error")}>
              <Code label={l10n.t("Last error")} text={trigger.lastError} />
              <p class="hint">
                {l10n.t(
                  "The server does not report when this error occurred, and keeps it after successful runs.",
                )}
              </p>
            </Section>
          )}
          <Section
            title={l10n.t("Statement")}
            tools={
              <IconButton
                icon="copy"
                label={l10n.t("Copy CREATE Statement")}
                press={host.copyStatement}
              />
            }
          >
            <Code label={l10n.t("Statement")} text={trigger.query} />
            <p class="hint">
              {l10n.t("The server does not report which columns the trigger watches.")}
            </p>
          </Section>
        </>
      )}
    </ItemFrame>
  );
}

startPage(TriggerView);
