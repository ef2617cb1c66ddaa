// The page of one ML engine. A deleted engine's data stays visible, without the buttons.
import * as l10n from "@vscode/l10n";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { LongTable } from "../../shared/page/longTable.tsx";
import { Button, Facts, Section } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { MlEngineContent, mlEngineCalls } from "../mlEnginePage.ts";
import "../../shared/page/documentParts.css";

type Props = PageProps<ItemState & MlEngineContent, typeof mlEngineCalls>;

function MlEngineView({ state, host }: Props) {
  const { connection, isGone, handler, parameters = [] } = state;
  return (
    <ItemFrame
      state={state}
      host={host}
      place={l10n.t("ML engine on {0}", connection)}
      loading={l10n.t("Loading the ML engine")}
      tools={
        !isGone &&
        handler !== undefined && (
          <>
            <Button label={l10n.t("Copy as SQL")} press={host.copyAsSql} />
            <Button label={l10n.t("Delete…")} press={host.remove} />
          </>
        )
      }
      isRead={handler !== undefined}
    >
      {handler !== undefined && (
        <>
          <Facts kind="glance" facts={[[l10n.t("Kind"), handler]]} />
          <Section title={l10n.t("Parameters")}>
            {parameters.length === 0 ? (
              <p class="hint">{l10n.t("This engine was created without parameters.")}</p>
            ) : (
              <Facts
                kind="facts"
                facts={parameters.map(({ name, value }) => [name, value ?? l10n.t("hidden")])}
              />
            )}
          </Section>
          <Models {...{ state, host, handler }} />
        </>
      )}
    </ItemFrame>
  );
}

function Models({ state, host, handler }: Props & { handler: string }) {
  const { models, hasSiblings } = state;
  const rows = (models ?? []).map((model) => ({
    text: `${model.name} ${model.project}`,
    cells: () => [
      <Button kind="link" label={model.name} press={() => host.showModel(model)} />,
      model.project,
    ],
  }));
  const hints = [
    !models && l10n.t("The models that use it could not be checked."),
    models?.length === 0 && l10n.t("No model uses this engine."),
    rows.length > 0 &&
      hasSiblings &&
      l10n.t(
        "Models of all {0} engines. The server does not report which engine a model uses.",
        handler,
      ),
  ].filter(Boolean);
  return (
    <Section title={l10n.t("Models")}>
      {hints.length > 0 && <p class="hint">{hints.join(" ")}</p>}
      <LongTable name={l10n.t("Models")} head={[l10n.t("Name"), l10n.t("Project")]} rows={rows} />
    </Section>
  );
}

startPage(MlEngineView);
