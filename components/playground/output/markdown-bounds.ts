/**
 * Limits for rendering text as Markdown. Above them, parsing takes more than linear time, or nesting needs
 * too much of the stack. Normal answers stay far below.
 */
const maxCharacters = 50_000;
const maxLines = 2_000;
/** Nested lists and quotes. */
const maxDepth = 16;
/** Sequences of characters that can start or end emphasis or a link, counted between two blank lines. */
const maxDelimiters = 2_000;
/** Table cells. They are limited because each row is padded to the widest row. */
const maxCells = 20_000;

const markersAtStart = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const marker = /[>+*-]|\d[.)]/g;
const columnsOfTab = 4;
/** The minimum indentation that nests a list. */
const columnsOfLevel = 2;

/**
 * Whether an answer can be rendered as Markdown without blocking the page. One pass over the text decides.
 */
export function isWithinMarkdownBounds(text: string): boolean {
  if (text.length > maxCharacters) return false;
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > maxLines) return false;
  let delimiters = 0;
  let columns = 0;
  for (const line of lines) {
    if (depthOf(line) > maxDepth) return false;
    columns = Math.max(columns, count(line, /\|/g));
    if (columns * lines.length > maxCells) return false;
    delimiters = line.trim() === "" ? 0 : delimiters + count(line, /[*_~[\]]+/g);
    if (delimiters > maxDelimiters) return false;
  }
  return true;
}

function depthOf(line: string): number {
  const [start] = markersAtStart.exec(line) ?? [];
  if (start === undefined) return 0;
  const [indent = ""] = /^[ \t]*/.exec(start) ?? [];
  const indentColumns = indent.replaceAll("\t", " ".repeat(columnsOfTab)).length;
  return count(start, marker) + Math.floor(indentColumns / columnsOfLevel);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
