const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Lines that continue the previous block even after an empty line: indented text, lists, quotes. */
const continuesBlock = /^(?:\s|[-+*>]|\d{1,9}[.)])/;
const definition = /^ {0,3}\[[^\]]+\]:/m;

/**
 * Splits Markdown into blocks that can be rendered one by one, so that a streaming answer only re-parses its
 * last block. Joined, the blocks are the original text. A text that defines links or footnotes is one block,
 * because definitions apply to the whole text.
 */
export function blocksOf(text: string): string[] {
  if (definition.test(text)) return [text];
  const blocks: string[] = [];
  let block: string[] = [];
  let openFence: string | null = null;
  let afterEmptyLine = false;
  for (const line of text.split("\n")) {
    if (afterEmptyLine && openFence === null && line.trim() !== "" && !continuesBlock.test(line)) {
      blocks.push(block.join("\n"));
      block = [];
    }
    const marks = fence.exec(line)?.[1];
    if (marks) {
      if (openFence === null) openFence = marks;
      else if (marks.startsWith(openFence) && line.trim() === marks) openFence = null;
    }
    block.push(line);
    afterEmptyLine = line.trim() === "";
  }
  blocks.push(block.join("\n"));
  return blocks;
}
