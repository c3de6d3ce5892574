const storedOutput = /\/v1\/files\/outputs\/([^/?]+)\/(\d+)/;

/** The run whose output is at this signed address, and its place among the run's files, from 1; null for an address of anything else. */
export function runOfFile(url: string): { run: string; position: number } | null {
  const [, run, position] = storedOutput.exec(url) ?? [];
  return run === undefined ? null : { run, position: Number(position) };
}
