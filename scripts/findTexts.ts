// Finds the texts of a source that are translated.
import ts from "typescript";

/**
 * The texts of all calls of `l10n.t` in a source. Throws where one has no plain text. The TypeScript parser reads all of src/ in
 * a second; @vscode/l10n-dev, which writes the bundle (scripts/l10n.ts), needs half a minute for it.
 */
export function findTexts(file: string, source: string): Set<string> {
  const texts = new Set<string>();
  if (!source.includes("l10n.t(")) return texts;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText(tree))) {
      const [text] = node.arguments;
      const line = tree.getLineAndCharacterOfPosition(node.pos).line + 1;
      if (!text || !ts.isStringLiteralLike(text)) throw new Error(`${file}:${line}: no plain text`);
      texts.add(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}
