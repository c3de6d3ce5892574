/** A name that no other run has. `crypto.randomUUID` is missing on plain http; this is not. */
export function newRunKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
