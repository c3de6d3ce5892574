/** More of what was pasted is not looked at. */
const lookedAtLength = 10_000;

/** The identifiers in a text that somebody pasted, in their order: a line of a log or an address says more than its id. */
export function idsIn(text: string): string[] {
  const found = text
    .slice(0, lookedAtLength)
    .toLowerCase()
    .matchAll(/(?<![0-9a-z])[a-z]+_[0-9a-z]{26}(?![0-9a-z])/g);
  return [...found].map(([id]) => id);
}
