/** Most characters of a pasted text that are searched. */
const lookedAtLength = 10_000;

/** The ids in a pasted text, in order. People paste whole log lines and addresses, not only ids. */
export function idsIn(text: string): string[] {
  const found = text
    .slice(0, lookedAtLength)
    .toLowerCase()
    .matchAll(/(?<![0-9a-z])[a-z]+_[0-9a-z]{26}(?![0-9a-z])/g);
  return [...found].map(([id]) => id);
}
