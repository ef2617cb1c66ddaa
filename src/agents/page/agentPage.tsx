// The page of one agent. A deleted agent's data stays visible, without the buttons.
import * as l10n from "@vscode/l10n";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { Button, Code, Facts, FieldTable, IconButton, Section } from "../../shared/page/parts.tsx";
import type { Host } from "../../shared/pageProtocol.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { AgentDetails } from "../agentDetails.ts";
import type { AgentContent, agentCalls } from "../agentPage.ts";
import "./agentPage.css";

function AgentView({ state, host }: PageProps<ItemState & AgentContent, typeof agentCalls>) {
  const { item, connection, isGone, details } = state;
  const tools = !isGone && (
    <>
      <Button kind="primary" label={l10n.t("Ask")} press={host.ask} isFirst />
      <Button label={l10n.t("Edit")} press={host.edit} />
    </>
  );
  return (
    <ItemFrame
      state={state}
      host={host}
      place={l10n.t("Agent in {0} on {1}", item.project, connection)}
      loading={l10n.t("Loading the agent")}
      tools={tools}
      isRead={details !== undefined}
    >
      {details && <Details details={details} host={host} />}
    </ItemFrame>
  );
}

interface DetailsProps {
  details: AgentDetails;
  host: Host<typeof agentCalls>;
}

function Details({ details, host }: DetailsProps) {
  const { model, created, updated, tables, knowledgeBases, instruction, fields } = details;
  const copy = instruction && (
    <IconButton icon="copy" label={l10n.t("Copy Instruction")} press={host.copyInstruction} />
  );
  return (
    <>
      <Facts
        kind="glance"
        facts={[
          [l10n.t("Model"), model || <DefaultModel open={host.openSettings} />],
          [l10n.t("Created"), withoutFraction(created) || l10n.t("unknown")],
          [l10n.t("Updated"), withoutFraction(updated) || l10n.t("unknown")],
        ]}
      />
      <Section title={l10n.t("Connected data")}>
        <Facts
          kind="facts"
          facts={[
            [l10n.t("Tables"), <Entries names={tables} />],
            [l10n.t("Knowledge bases"), <Entries names={knowledgeBases} />],
          ]}
        />
      </Section>
      <Section title={l10n.t("Instruction")} tools={copy}>
        {instruction ? (
          <Code label={l10n.t("Instruction")} text={instruction} />
        ) : (
          <p class="hint">{l10n.t("The agent has no instruction.")}</p>
        )}
      </Section>
      <Section title={l10n.t("Fields")}>
        <FieldTable name={l10n.t("Fields")} fields={fields} />
      </Section>
    </>
  );
}

function DefaultModel({ open }: { open: () => unknown }) {
  return (
    <>
      {l10n.t("The server's default")} ·{" "}
      <Button kind="link" label={l10n.t("Server Settings")} press={open} />
    </>
  );
}

function Entries({ names }: { names: string[] }) {
  if (names.length === 0) return <>{l10n.t("none")}</>;
  return (
    <ul class="entries">
      {names.map((name, at) => (
        <li key={at}>
          <span class="code">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/** Servers send times with microseconds; the table of fields shows them unchanged. */
function withoutFraction(time: string): string {
  return time.replace(/\.\d+$/, "");
}

startPage(AgentView);
