const promptFields = ["prompt", "input", "text"];

/** What a run was asked in words; null when its input has none. */
export function promptOf(input: Record<string, unknown> | null): string | null {
  for (const name of promptFields) {
    const value = input?.[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}
