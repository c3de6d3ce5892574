import { byName } from "#contract/by-name.ts";

/** What clients of other services try here, by the beginning of the path, and what there is instead. */
const instead = byName<string>({
  "/v1/completions": "Send the text as a message to POST /v1/chat/completions.",
  "/v1/complete": "Send the text as a message to POST /v1/messages.",
  "/v1/realtime":
    "There is no realtime speech: POST /v1/audio/speech and /v1/audio/transcriptions do one piece at a time.",
  "/v1/assistants": "POST /v1/responses keeps a conversation.",
  "/v1/threads": "POST /v1/responses keeps a conversation.",
  "/v1/conversations": "POST /v1/responses goes on from previous_response_id.",
  "/v1/images/variations": "POST /v1/images/edits changes a picture.",
  "/v1/audio/translations": "POST /v1/audio/transcriptions writes down what is said.",
  "/sse": "MCP is at POST /mcp, as streamable HTTP.",
  "/v1/mcp": "MCP is at POST /mcp, without /v1.",
  "/v1/moderations": "Nothing is moderated here.",
  "/v1/fine_tuning": "No models are trained here.",
  "/api/chat": "Set the base URL to end in /v1: POST /v1/chat/completions.",
  "/api/generate": "Set the base URL to end in /v1: POST /v1/chat/completions.",
});
/** How many names of a path are looked at. */
const deepest = 4;

/** What to use instead of a path that is not here, with a space before; empty where nobody would look for it. */
export function hintFor(path: string): string {
  const names = path.split("/", deepest);
  for (let count = names.length; count > 1; count -= 1) {
    const hint = instead[names.slice(0, count).join("/")];
    if (hint) return ` ${hint}`;
  }
  return "";
}
