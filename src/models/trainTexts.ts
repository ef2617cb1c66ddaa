// The texts of the form that trains a model.
import * as l10n from "@vscode/l10n";
import type { FieldTexts } from "../shared/formFields.ts";
import { formatMessage } from "../shared/formatMessage.ts";
import { createFormFrameTexts } from "../shared/formTexts.ts";
import type { TrainDraft, TrainForm } from "./trainDraft.ts";
import { createTrainProblemTexts } from "./trainProblemTexts.ts";
import type { TrainField, TrainProblem } from "./trainValidation.ts";

export type TrainTexts = ReturnType<typeof createTrainTexts>;

export function createTrainTitle({ kind, draft }: Pick<TrainForm, "kind" | "draft">): string {
  switch (kind) {
    case "create":
      return l10n.t("Train Model");
    case "retrain":
      return l10n.t("Retrain {0}", draft.name);
    case "finetune":
      return l10n.t("Finetune {0}", draft.name);
  }
}

/** Returns the page's texts, in the user's language. `{0}` and `{1}` are filled in by the page. */
export function createTrainTexts(form: TrainForm) {
  const { kind, draft, version = 1 } = form;
  return {
    title: createTrainTitle(form),
    intro: createIntro(form),
    place:
      kind === "create"
        ? l10n.t("On {0}")
        : l10n.t("Version {0} in {1} on {2}", version, draft.project, "{0}"),
    fields: createFieldTexts(form),
    sources: {
      same: l10n.t("The query of version {0}", version),
      table: l10n.t("A table"),
      select: l10n.t("A SELECT"),
    } satisfies Record<TrainDraft["source"], string>,
    chooseTable: l10n.t("Choose Table…"),
    noTable: l10n.t("No table yet."),
    query: l10n.t("Training query"),
    uses: {
      yes: l10n.t("Use the new version when it is trained"),
      no: l10n.t("Keep using the current version"),
    },
    rows: l10n.t("First training rows"),
    readingRows: l10n.t("Reading the first rows…"),
    rowsMayCost: l10n.t("Reading these rows may cost money, so they were not read."),
    loadRows: l10n.t("Load Preview…"),
    noRows: l10n.t("There are no rows."),
    firstRows: l10n.t("The first rows and the columns that the model is trained with."),
    chooseColumn: l10n.t("Select a column"),
    ...createFormFrameTexts(),
    send: kind === "create" ? l10n.t("Train Model") : createTrainTitle(form),
    sending: l10n.t(
      "Starting the training… {0} s. This takes longer if the server has no free worker.",
    ),
    started: l10n.t("Training of {0} (version {1}) has started."),
    startedNote: l10n.t(
      "The tree and the model's page show the progress. A message tells you when it is done.",
    ),
    showModel: l10n.t("Show Model"),
    another: l10n.t("Train Another"),
    problems: createTrainProblemTexts(),
  };
}

function createIntro({ kind }: TrainForm): string {
  switch (kind) {
    case "create":
      return l10n.t("A model learns from rows to predict one of their columns.");
    case "retrain":
      return l10n.t("Trains a new version. Existing versions stay.");
    case "finetune":
      return l10n.t("Trains a new version that starts from this one and learns from more rows.");
  }
}

function createFieldTexts({ kind, hasHidden = false }: TrainForm): Record<TrainField, FieldTexts> {
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("The project that contains the model."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lowercase letters, digits and underscores, so that SQL finds it too."),
    },
    source: {
      label: l10n.t("Training Rows"),
      description: l10n.t("What the model learns from."),
    },
    table: {
      label: l10n.t("Table"),
      description: l10n.t("All rows and columns of it are used."),
    },
    select: {
      label: l10n.t("SELECT"),
      description: l10n.t(
        "One statement that names tables with their data source: SELECT * FROM files.sales WHERE year > 2020",
      ),
    },
    target: {
      label: l10n.t("Target"),
      description: l10n.t("The column that the model predicts."),
    },
    engine: {
      label: l10n.t("Engine"),
      description: l10n.t("The engine that trains the model. This server has these."),
    },
    options: {
      label: l10n.t("Options"),
      description: describeOptions(kind, hasHidden),
    },
    activates: {
      label: l10n.t("Active Version"),
      description: l10n.t("Predictions without a version use the active one."),
    },
  };
}

function describeOptions(kind: TrainForm["kind"], hasHidden: boolean): string {
  const syntax = l10n.t("One per line, as after USING: window = 10");
  if (kind !== "retrain") return syntax;
  return hasHidden
    ? l10n.t(
        "{0}. Options with keys are not shown; they stay as they are unless you change a line.",
        syntax,
      )
    : syntax;
}

export function formatTrainProblem({ kind, values }: TrainProblem): string {
  return formatMessage(createTrainProblemTexts()[kind], ...values);
}
