/** Next calls this once, before the console answers anything. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NODE_ENV !== "production") return;
  const { logAsLines } = await import("@/lib/server/log-lines");
  logAsLines(console, (line) => process.stderr.write(line));
}
