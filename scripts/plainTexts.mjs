// Lint: VS Code draws icons for "$(name)" and links, of commands too, in these texts. So names of servers and files reach
// them through functions that make them plain.

const reason = "Foreign names in a text must not become icons or links";
/** @type {[property: string, file: string][]} */
const functions = [
  ["showInformationMessage", "notifications"],
  ["showWarningMessage", "notifications"],
  ["showErrorMessage", "notifications"],
  ["setStatusBarMessage", "notifications"],
  ["showQuickPick", "pickItem"],
  ["showInputBox", "quickInput"],
  ["createInputBox", "quickInput"],
  ["withProgress", "withCancelButton"],
];

/** The files that wrap these functions. */
export const plainTextFiles =
  "src/shared/host/{notifications,pickItem,quickInput,withCancelButton}.ts";

/** For no-restricted-properties. */
export const foreignTexts = functions.map(([property, file]) => ({
  property,
  message: `${reason}: use shared/host/${file}.ts.`,
}));

/** Problems and quick fixes are no labels with icons, but what is hidden in a name must not be hidden in them. */
const visible = ":not(Literal, CallExpression[callee.name='visibleLine'])";
const suggestion = ":not(Literal, CallExpression[callee.name=/^(plainLabel|completionLabel)$/])";

/** Literals, translations without values, and what the named functions return. */
const isPlain = [
  "Literal",
  "CallExpression[callee.name=/^(plainLabel|toPlainItems|toLabel|tabTitle)$/]",
  "CallExpression[callee.property.name='t'][arguments.length=1]",
].join(", ");
const other = `:not(${isPlain})`;
const made = (/** @type {string} */ name) => `NewExpression[callee.property.name='${name}']`;
const called = (/** @type {string} */ name) => `CallExpression[callee.property.name='${name}']`;
const assigned = (/** @type {string} */ of, /** @type {string} */ name) =>
  `AssignmentExpression[left.object.name='${of}'][left.property.name='${name}']`;

/** For no-restricted-syntax. */
export const foreignArguments = [
  `${made("TreeItem")} > ${other}:not(Identifier[name='label']).arguments:first-child`,
  `${made("NotebookCellStatusBarItem")} > :not(TemplateLiteral, ${isPlain}).arguments:first-child`,
  `${made("NotebookCellStatusBarItem")} > TemplateLiteral.arguments:first-child > ${other}:not(Identifier[name='icon']).expressions`,
  `${called("createNotebookController")} > ${other}.arguments:nth-child(3)`,
  `${called("createTestItem")} > ${other}:not(Identifier[name='label']).arguments:nth-child(2)`,
  `${made("Diagnostic")} > ${visible}.arguments:nth-child(2)`,
  `${made("CompletionItem")} > ${suggestion}.arguments:first-child`,
  `${made("CodeAction")} > ${visible}.arguments:first-child`,
  // Text goes into Markdown by appendText, which escapes it.
  `${made("MarkdownString")} > .arguments`,
  `${called("appendMarkdown")} > :not(Literal).arguments`,
  ...["supportThemeIcons", "supportHtml"].map(
    (name) => `MemberExpression[property.name='${name}']`,
  ),
  ...["items", "title"].map((name) => `${assigned("pick", name)} > ${other}.right`),
  `AssignmentExpression[left.property.name='items'][left.object.property.name='pick'] > ${other}.right`,
  `${assigned("item", "description")} > ${other}:not(Identifier[name='description']).right`,
].map((selector) => ({
  selector,
  message: `${reason}: use plainLabel of shared/oneLine.ts, or toPlainItems of shared/host/pickItem.ts.`,
}));

/** For no-restricted-syntax. What a user agrees to must be seen. */
export const modalDialogs = {
  selector: "Property[key.name='modal']",
  message: "Use askConsent of shared/host/consent.ts: a long text would hide its end.",
};
