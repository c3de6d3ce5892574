const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Goes on with the block before, also after an empty line: what is indented, lists, quotes. */
const goesOn = /^(?:\s|[-+*>]|\d{1,9}[.)])/;
const definition = /^ {0,3}\[[^\]]+\]:/m;

/**
 * A Markdown text in pieces that can be drawn one by one, so that of an answer that is being written only the last one is
 * read again. Together they are the text. A text that defines links or footnotes is one piece: they hold everywhere in it.
 */
export function blocksOf(text: string): string[] {
  if (definition.test(text)) return [text];
  const blocks: string[] = [];
  let block: string[] = [];
  let openFence: string | null = null;
  let afterEmptyLine = false;
  for (const line of text.split("\n")) {
    if (afterEmptyLine && openFence === null && line.trim() !== "" && !goesOn.test(line)) {
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
