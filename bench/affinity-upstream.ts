import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * An upstream with a prefix cache for each of its addresses and keys: the longest known beginning of a prompt,
 * in blocks of 1,024 tokens of four characters, for five minutes after its last use. It runs in its own
 * process. `POST /control` sets how it behaves, `POST /counts` reads what it counted and forgets everything.
 */
const blockTokens = 1_024;
const tokenLength = 4;
const keptMs = 5 * 60_000;

/** When each known beginning was last used, by place and hash. */
const known = new Map<string, number>();
let counts = { prompt: 0, cached: 0, limited: 0, places: {} as Record<string, number> };
let control = { resting: "", untilMs: 0, answerMs: 0 };

interface Chat {
  messages: { role: string; content: string }[];
}

/** The tokens of a prompt, and how many of them this place still has. */
function readPrompt(place: string, { messages }: Chat): { prompt: number; cached: number } {
  const text = messages.map(({ role, content }) => `${role}: ${content}\n`).join("");
  const length = blockTokens * tokenLength;
  const now = Date.now();
  let cached = 0;
  let isKnown = true;
  let beginning = place;
  for (let at = 0; at + length <= text.length; at += length) {
    beginning = hash("sha256", beginning + text.slice(at, at + length));
    isKnown &&= now - (known.get(beginning) ?? 0) < keptMs;
    if (isKnown) cached += blockTokens;
    known.set(beginning, now);
  }
  return { prompt: Math.ceil(text.length / tokenLength), cached };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString() || "{}");
}

function send(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  if (request.url === "/control") {
    control = { ...control, ...(body as object) };
    return send(response, {});
  }
  if (request.url === "/counts") {
    send(response, counts);
    known.clear();
    counts = { prompt: 0, cached: 0, limited: 0, places: {} };
    return;
  }
  const key = request.headers.authorization?.split(" ")[1] ?? "";
  const restsMs = key === control.resting ? control.untilMs - Date.now() : 0;
  if (restsMs > 0) {
    counts.limited += 1;
    return send(response, { error: { message: "Slow down" } }, 429, {
      "retry-after": Math.ceil(restsMs / 1000),
    });
  }
  const place = `${request.url?.split("/")[1]} ${key}`;
  const { prompt, cached } = readPrompt(place, body as Chat);
  counts.prompt += prompt;
  counts.cached += cached;
  counts.places[place] = (counts.places[place] ?? 0) + 1;
  if (control.answerMs > 0) await sleep(control.answerMs);
  send(response, {
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1_760_000_000,
    model: "mock",
    choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
    usage: {
      ...{ prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2 },
      prompt_tokens_details: { cached_tokens: cached },
    },
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
