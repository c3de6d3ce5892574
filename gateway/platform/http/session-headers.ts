import type { IncomingHttpHeaders } from "node:http";

/** The caller's own name for a conversation; `none` lets each of its requests be drawn anew. */
export const affinityHeader = "x-svc-affinity";
/**
 * The headers that name a conversation, strongest first: ours, those of Claude Code, Codex (new and old) and
 * opencode. They are never logged, and never sent to an upstream.
 */
export const sessionHeaders = [
  affinityHeader,
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "thread-id",
  "x-session-affinity",
  "x-opencode-session",
] as const;

/** The strongest name that a request's headers give to its conversation. */
export function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of sessionHeaders) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
