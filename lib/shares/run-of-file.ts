const storedOutput = /\/v1\/files\/outputs\/([^/?]+)\//;

/** The run whose output is at this signed address; null for an address of anything else. */
export function runOfFile(url: string): string | null {
  return storedOutput.exec(url)?.[1] ?? null;
}

/** Two signed addresses of one file differ only in their query. */
export function isSameFile(one: string, other: string): boolean {
  return URL.parse(one)?.pathname === URL.parse(other)?.pathname;
}
