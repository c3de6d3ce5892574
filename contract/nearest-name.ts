/** Longer names are not compared, because the cost is quadratic. */
const maxLength = 60;

/** The name in `known` that `name` probably misspells. Null when none is similar. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > maxLength) return null;
  const plain = comparable(name);
  const maxDistance = Math.max(1, Math.floor(plain.length / 3));
  const best = known
    .filter((one) => one.length <= maxLength)
    .map((one) => ({ one, other: comparable(one) }))
    // The distance is at least the difference in length, which costs nothing to compare.
    .filter(({ other }) => Math.abs(other.length - plain.length) <= maxDistance)
    .map(({ one, other }) => ({ one, distance: editDistance(plain, other) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= maxDistance ? best.one : null;
}

/** Names are compared without case and separators: `dryRun` equals `dry_run`. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Levenshtein distance: the least insertions, deletions and substitutions from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    let diagonal = row[0] ?? 0;
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const above = row[j + 1] ?? 0;
      next.push(Math.min(above + 1, (next[j] ?? 0) + 1, diagonal + (letter === other ? 0 : 1)));
      diagonal = above;
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
