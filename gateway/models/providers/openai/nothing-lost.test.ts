import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createTranscript } from "#gateway/runs/operations/upstream-chat.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest } from "../provider.ts";
import { completeChat, streamChat } from "./chat.ts";

const request = {
  input: { messages: [] },
  media: [],
  signal: new AbortController().signal,
} as unknown as ProviderRequest;

/** The gateway's answer to a chat for this upstream answer. */
async function whole(answer: Record<string, unknown>) {
  const mapped = { upstream: { json: async () => answer }, model: "m" } as unknown as Mapped;
  const result = await completeChat(mapped, request);
  if (result.kind !== "chat") throw new Error("a chat answers with a chat");
  return result.completion;
}

/** The client's final view of a stream, and the completion kept for a replay. */
async function streamed(events: readonly Record<string, unknown>[]) {
  const lines = [...events.map((event) => JSON.stringify(event)), "[DONE]"];
  const body = Readable.from([Buffer.from(lines.map((line) => `data: ${line}\n\n`).join(""))]);
  const headers = { "content-type": "text/event-stream" };
  const mapped = { upstream: { open: async () => ({ status: 200, headers, body }) }, model: "m" };
  const transcript = createTranscript(request);
  const deltas: Record<string, unknown>[] = [];
  for await (const chunk of streamChat(mapped as unknown as Mapped, request)) {
    transcript.add(chunk);
    deltas.push(...chunk.choices.map(({ delta, logprobs }) => ({ ...delta, ...(logprobs && { logprobs }) })));
  }
  return {
    deltas,
    kept: transcript.choices()[0],
    usage: transcript.usage(),
    tier: transcript.labels.service_tier,
  };
}

const text = fc.string({ minLength: 1, maxLength: 8 });
const details = fc.array(fc.record({ type: fc.constant("reasoning.text"), text, signature: text }), {
  minLength: 1,
});
const token = fc.record({ token: text, logprob: fc.integer({ min: -9, max: 0 }), bytes: fc.constant(null) });
/** Values are passed through JSON, which has no negative zero. */
const asJson = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
/** The message fields known today, and an unknown one. */
const members = fc.record(
  {
    refusal: text,
    annotations: fc.array(fc.record({ type: fc.constant("url_citation"), url: text }), { minLength: 1 }),
    reasoning_details: details,
    audio: fc.record({ id: text, data: text }),
    of_tomorrow: fc.record({ nested: asJson }),
  },
  { requiredKeys: [] },
);
const calls = fc.array(
  fc.record({
    id: text.map((id) => `call_${id}`),
    type: fc.constant("function"),
    function: fc.record({ name: text, arguments: fc.constant("{}") }),
    extra_content: fc.record({ google: fc.record({ thought_signature: text }) }),
  }),
  { minLength: 1, maxLength: 3 },
);
const usage = fc.record({
  prompt_tokens: fc.nat(99),
  completion_tokens: fc.nat(99),
  total_tokens: fc.nat(99),
  prompt_tokens_details: fc.record({ cached_tokens: fc.nat(9) }),
  completion_tokens_details: fc.record({ reasoning_tokens: fc.nat(9) }),
});
const answers = fc.record({
  said: members,
  content: text,
  calls,
  tokens: fc.array(token, { minLength: 1 }),
  usage,
});

it("gives the client what the upstream sent, in one piece", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async ({ said, content, calls: tool_calls, tokens, usage: used }) => {
      const logprobs = { content: tokens, refusal: null };
      const message = { role: "assistant", content, tool_calls, ...said };
      const answer = {
        choices: [{ index: 0, message, logprobs, finish_reason: "stop" }],
        usage: used,
        service_tier: "flex",
      };
      expect(await whole(answer)).toEqual({
        choices: [{ index: 0, message: { refusal: null, ...message }, logprobs, finish_reason: "stop" }],
        usage: used,
        service_tier: "flex",
      });
    }),
  );
});

it("gives the client what the upstream sent piece by piece, and keeps all of it for a replay", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async ({ said, content, calls: tool_calls, tokens, usage: used }) => {
      const choice = (delta: object, more: object = {}) => ({
        choices: [{ index: 0, delta, finish_reason: null, ...more }],
        service_tier: "flex",
      });
      const placed = tool_calls.map((call, index) => ({ ...call, id: `${index}${call.id}`, index }));
      const {
        deltas,
        kept,
        usage: counted,
        tier,
      } = await streamed([
        choice({ role: "assistant", content: "" }),
        ...Object.entries(said).map(([name, value]) => choice({ [name]: value })),
        ...[...content].map((piece) => choice({ content: piece })),
        ...tokens.map((each) => choice({}, { logprobs: { content: [each], refusal: null } })),
        ...placed.map((call) => choice({ tool_calls: [call] })),
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: used },
      ]);
      for (const [name, value] of Object.entries(said)) expect(deltas).toContainEqual({ [name]: value });
      expect(
        deltas.flatMap((delta) => (delta.logprobs as { content: object[] } | undefined)?.content ?? []),
      ).toEqual(tokens);
      expect(deltas.flatMap((delta) => (delta.tool_calls as object[] | undefined) ?? [])).toEqual(placed);
      expect([counted, tier]).toEqual([used, "flex"]);
      const kepts = placed.map(({ index: _, ...call }) => call);
      expect(kept).toEqual({
        index: 0,
        message: { role: "assistant", refusal: null, content, tool_calls: kepts, ...said },
        finish_reason: "stop",
        logprobs: { content: tokens },
      });
    }),
  );
});

it("counts the same tokens without usage from the upstream, streamed or not", async () => {
  const message = { role: "assistant", content: "Blue light scatters most.", reasoning_content: "Waves." };
  const one = await whole({ choices: [{ index: 0, message, finish_reason: "stop" }] });
  const { usage: many } = await streamed(
    [message, {}].map((delta, at) => ({
      choices: [{ index: 0, delta, finish_reason: at === 1 ? "stop" : null }],
    })),
  );
  expect(one.usage).toEqual(many);
});
