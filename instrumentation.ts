/** Next calls this once, before the console answers anything. */
export async function register(): Promise<void> {
  // Written as one positive condition, so that no Node code is compiled for the edge runtime.
  if (process.env.NEXT_RUNTIME === "nodejs" && process.env.NODE_ENV === "production") {
    const { logAsLines } = await import("@/lib/server/log-lines");
    logAsLines(console, (line) => process.stderr.write(line));
  }
}
