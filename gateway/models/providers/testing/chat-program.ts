import { setTimeout as after } from "node:timers/promises";
import { type ProgramScene, programScene } from "#gateway/testing/program-scene.ts";
import { testKeys, writeProvidersFile } from "./mapped-gateway.ts";
import { sendJson, startUpstream, type UpstreamServer } from "./upstream-server.ts";

type Answer = Parameters<typeof startUpstream>[0];

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const answerMs = 40;

/**
 * The surroundings in which to start the real program: `svc/chat-1` is routed to an upstream that by default
 * answers soon. `settings` are added to the program's environment.
 */
export async function chatProgram(
  answer: Answer = answersSoon,
  settings: Record<string, string> = {},
): Promise<{ upstream: UpstreamServer; scene: ProgramScene }> {
  const upstream = await startUpstream(answer);
  const credentials = { "us-virginia": { env: "TEST_UPSTREAM_KEY" } };
  const scene = await programScene({
    ...testKeys,
    PROVIDERS_FILE: writeProvidersFile({
      providers: { one: { protocol: "openai", base_url: `${upstream.origin}/v1`, credentials } },
      routes: [{ models: ["svc/chat-1"], provider: "one", upstream_model: "upstream" }],
    }),
    ...settings,
  });
  return { upstream, scene };
}

const answersSoon: Answer = async (_seen, response) => {
  await after(answerMs);
  const message = { role: "assistant", content: "Done." };
  sendJson(response, { id: "chat", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
};

/** Begins a stream that never ends. */
export const beginsStream: Answer = (_seen, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const choices = [{ index: 0, delta: { content: "Blue " }, finish_reason: null }];
  response.write(`data: ${JSON.stringify({ id: "chat", choices, usage })}\n\n`);
};
