/** A part of a compared text: removed, added, or the same. */
export interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Comparing costs the product of both lengths; longer texts are shown whole, before and after. */
const maxWords = 600;

/** Compares two texts word by word. */
export function wordDiff(before: string, after: string): TextPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
    end += 1;
  const middle = changesBetween(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return joined([
    { kind: "same", text: old.slice(0, start).join("") },
    ...middle,
    { kind: "same", text: old.slice(old.length - end).join("") },
  ]);
}

/** Words with their leading space, so that nothing is lost. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** By the longest common subsequence. */
function changesBetween(old: readonly string[], now: readonly string[]): TextPart[] {
  if (old.length > maxWords || now.length > maxWords)
    return [
      { kind: "removed", text: old.join("") },
      { kind: "added", text: now.join("") },
    ];
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      parts.push({ kind: "same", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: "removed", text: old[i] ?? "" });
      i += 1;
    } else {
      parts.push({ kind: "added", text: now[j] ?? "" });
      j += 1;
    }
  }
  return parts;
}

/** Joins neighbours of the same kind and drops empty ones. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const all: TextPart[] = [];
  for (const { kind, text } of parts) {
    const last = all.at(-1);
    if (text === "") continue;
    if (last?.kind === kind) last.text += text;
    else all.push({ kind, text });
  }
  return all;
}
