import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * An upstream that answers at once: OpenAI's chat with twenty tokens, as JSON or as a stream. It runs in its
 * own process. `ANSWER_BYTES` makes the whole answer longer.
 */
const tokens = Array.from({ length: 20 }, (_, n) => `word${n} `);
const wholeText = tokens.join("").padEnd(Number(process.env.ANSWER_BYTES ?? 0), tokens.join(""));
/** The pause between the tokens of a stream, so that the first token is sent separately. */
const gapMs = 1;
const usage = { prompt_tokens: 70, completion_tokens: tokens.length, total_tokens: 70 + tokens.length };
const common = { id: "chatcmpl-bench", created: 1_760_000_000, model: "mock" };

const whole = JSON.stringify({
  ...common,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: wholeText, refusal: null },
      finish_reason: "stop",
      logprobs: null,
    },
  ],
  usage,
});

function chunk(choices: unknown[], more: Record<string, unknown> = {}): string {
  return `data: ${JSON.stringify({ ...common, object: "chat.completion.chunk", choices, ...more })}\n\n`;
}

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of tokens) {
    response.write(chunk([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]));
    await sleep(gapMs);
  }
  response.write(chunk([{ index: 0, delta: {}, finish_reason: "stop" }]));
  response.write(chunk([], { usage }));
  response.end("data: [DONE]\n\n");
}

const head = { "content-type": "application/json", "content-length": whole.length };
const server = createServer((request, response) => {
  // Reads with events, because this process shares the cores with the measured programs, and an async reader
  // needs a third more processor time.
  let streams = false;
  request.on("data", (bytes: Buffer) => {
    streams ||= bytes.includes('"stream":true');
  });
  request.on("end", () => (streams ? stream(response) : response.writeHead(200, head).end(whole)));
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
