const storedOutput = /\/v1\/files\/outputs\/([^/?]+)\/(\d+)/;

/** The run behind a signed URL of an output, and the file's position from 1. Null for any other URL. */
export function runOfFile(url: string): { run: string; position: number } | null {
  const [, run, position] = storedOutput.exec(url) ?? [];
  return run === undefined ? null : { run, position: Number(position) };
}
