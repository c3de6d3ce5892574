import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";

/** Attributes whose text people read or hear. */
const readAttributes = new Set([
  "alt",
  "aria-label",
  "description",
  "error",
  "hint",
  "label",
  "missing",
  "placeholder",
  "title",
]);
/** Operators that yield one of their sides. */
const chooses = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);
/** Names, which are the same in every language. */
const names = new Set(["Gatehouse", "CSV", "JSON", "JSONL", "Ctrl K"]);
/** Addresses and ids of models, which examples in fields have. */
const isCode = /^(?:https:\/\/|svc\/)\S+(?: \d+)?$/;

/** The texts of a file that are in the markup itself, with their lines. */
function bareTexts(file: string, source: string): string[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const report = (node: ts.Node, text: string) => {
    const words = text.trim();
    if (!/\p{L}{2}/u.test(words) || names.has(words) || isCode.test(words)) return;
    const { line } = parsed.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1} ${words}`);
  };
  /** Texts that an expression may become: `open ? "Open" : "Closed"`. */
  const reportTexts = (node: ts.Expression): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) report(node, node.text);
    else if (ts.isTemplateExpression(node))
      report(
        node,
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(""),
      );
    else if (ts.isConditionalExpression(node))
      for (const branch of [node.whenTrue, node.whenFalse]) reportTexts(branch);
    else if (ts.isBinaryExpression(node) && chooses.has(node.operatorToken.kind))
      for (const side of [node.left, node.right]) reportTexts(side);
    else if (ts.isParenthesizedExpression(node)) reportTexts(node.expression);
  };
  const read = (node: ts.Node): void => {
    if (ts.isJsxText(node)) report(node, node.text);
    else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent))
      reportTexts(node.expression);
    else if (ts.isJsxAttribute(node) && readAttributes.has(node.name.getText()) && node.initializer) {
      if (ts.isStringLiteral(node.initializer)) report(node, node.initializer.text);
      else if (ts.isJsxExpression(node.initializer) && node.initializer.expression)
        reportTexts(node.initializer.expression);
    }
    ts.forEachChild(node, read);
  };
  read(parsed);
  return found;
}

it("finds texts in markup, in attributes that people read, and in choices", () => {
  const source = `const a = <p title="Over it" className="flex">Hello {open ? "Yes, open" : \`No, \${n} left\`}<b>{t("x")}</b> · 5</p>;`;
  expect(bareTexts("a.tsx", source)).toEqual([
    "a.tsx:1 Over it",
    "a.tsx:1 Hello",
    "a.tsx:1 Yes, open",
    "a.tsx:1 No,  left",
  ]);
});

const files = globSync("{app,components}/**/*.tsx", { exclude: ["**/*.test.tsx"] });

it("no file has texts that are not in messages", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => bareTexts(file, readFileSync(file, "utf8")))).toEqual([]);
});
