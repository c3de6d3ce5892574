/** A unique key for a run. `crypto.randomUUID` is not available on plain http. */
export function newRunKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
