// The texts of the form that trains a model.
import { l10n } from "vscode";
import { formatMessage } from "../../shared/formatMessage.ts";
import { createFormFrameTexts } from "../../shared/formTexts.ts";
import type { TrainForm, TrainTexts } from "../trainMessages.ts";
import type { TrainProblem } from "../trainValidation.ts";

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

export function createTrainTexts(form: TrainForm): TrainTexts {
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
    },
    chooseTable: l10n.t("Choose Table…"),
    noTable: l10n.t("No table yet."),
    query: l10n.t("Training query"),
    uses: {
      yes: l10n.t("Use the new version when it is trained"),
      no: l10n.t("Keep using the version before"),
    },
    rows: l10n.t("First training rows"),
    readingRows: l10n.t("Reading the first rows…"),
    noRows: l10n.t("There are no rows."),
    firstRows: l10n.t("The first rows and the columns that the model is trained with."),
    chooseColumn: l10n.t("Select a column"),
    ...createFormFrameTexts(),
    send: kind === "create" ? l10n.t("Train Model") : createTrainTitle(form),
    sending: l10n.t("Starting the training… {0} s. A server without a free worker takes longer."),
    started: l10n.t("{0} is in training (version {1})."),
    startedNote: l10n.t(
      "The tree and the model's page show how far it is. A message says when it is over.",
    ),
    showModel: l10n.t("Show Model"),
    another: l10n.t("Train Another"),
    problems: createProblemTexts(),
  };
}

function createIntro({ kind }: TrainForm): string {
  switch (kind) {
    case "create":
      return l10n.t("A model learns from rows to predict one of their columns.");
    case "retrain":
      return l10n.t("Trains a new version. The versions that there are stay.");
    case "finetune":
      return l10n.t("Trains a new version that starts from this one and learns from more rows.");
  }
}

function createFieldTexts({ kind, hasHidden = false }: TrainForm): TrainTexts["fields"] {
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("The project that contains the model."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lower-case letters, digits and underscores, so that SQL finds it too."),
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
      description: l10n.t("What trains the model. The server has these."),
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
  const syntax = l10n.t("One a line, as behind USING: window = 10");
  if (kind !== "retrain") return syntax;
  return hasHidden
    ? l10n.t(
        "{0}. Options with keys are not shown; they stay as they are unless you change a line.",
        syntax,
      )
    : syntax;
}

function createProblemTexts(): TrainTexts["problems"] {
  return {
    nameMissing: l10n.t("Enter a name."),
    nameNotPlain: l10n.t("Use lower-case letters, digits and underscores."),
    nameTaken: l10n.t("A model called {0} exists in {1}."),
    projectGone: l10n.t("The project {0} no longer exists."),
    tableMissing: l10n.t("Choose a table."),
    selectMissing: l10n.t("Enter a SELECT statement."),
    selectNotOne: l10n.t("This is not exactly one SELECT statement."),
    selectWrites: l10n.t(
      "This statement may change data. Its rows are not shown before the training.",
    ),
    selectCosts: l10n.t(
      "This statement may cost money. Its rows are not shown before the training.",
    ),
    targetMissing: l10n.t("Choose the column to predict."),
    targetNotInData: l10n.t("The training rows have no column {0}."),
    engineMissing: l10n.t("Choose an engine."),
    engineUnknown: l10n.t("The server has no engine called {0}."),
    optionNotRead: l10n.t("This is not name = value: {0}"),
    optionNotSayable: l10n.t(
      "MindsDB's SQL cannot express this value (a negative number, or quotes and backslashes): {0}",
    ),
    optionIsField: l10n.t("{0} is a field of this form."),
    serverSays: l10n.t("The server says: {0}"),
  };
}

export function formatTrainProblem({ kind, values }: TrainProblem): string {
  return formatMessage(createProblemTexts()[kind], ...values);
}
