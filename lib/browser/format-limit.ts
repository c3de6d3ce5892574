/** A byte limit in whole units if possible, else with one decimal. */
export function formatLimit(bytes: number): string {
  const mebi = bytes / (1024 * 1024);
  if (mebi >= 1) return `${Number.isInteger(mebi) ? mebi : mebi.toFixed(1)} MiB`;
  const kibi = bytes / 1024;
  return kibi >= 1 ? `${kibi.toFixed(kibi < 10 ? 1 : 0)} KiB` : `${bytes} B`;
}
