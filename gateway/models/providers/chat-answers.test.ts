import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTranscript } from "#gateway/runs/operations/upstream-chat.ts";
import type { Mapped } from "./protocol.ts";
import { protocols as allProtocols, protocolOf } from "./protocols.ts";
import type { ProviderRequest } from "./provider.ts";

/*
 * Every protocol of chats under one rule for whole and streamed answers: what counts as complete, what as
 * broken, and what a stream that is not UTF-8 loses.
 */

interface Said {
  text: string[];
  /** The finish reason in OpenAI's words; null: the upstream sends none. */
  finish?: string | null;
}

/** How an upstream of each protocol writes an answer: whole, and as events without and with its end mark. */
interface Writer {
  whole(said: Said): object;
  events(said: Said): object[];
  /** The last events; a stream that has none of them was cut. */
  mark: object[];
}

const done = "[DONE]";
const openAi: Writer = {
  whole: ({ text, finish = null }) => ({
    choices: text.length === 0 ? [] : [{ message: { content: text.join("") }, finish_reason: finish }],
  }),
  events: ({ text, finish = null }) => [
    ...(text.length === 0 ? [] : [chunk({ role: "assistant", content: "" })]),
    ...text.map((content) => chunk({ content })),
    ...(finish === null ? [] : [chunk({}, finish)]),
  ],
  mark: [],
};
const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const stopReasons: Record<string, string> = { stop: "end_turn", length: "max_tokens" };
const stopReason = (finish: string | null) => finish && (stopReasons[finish] ?? finish);

const writers: Record<string, Writer> = {
  openai: openAi,
  dashscope: openAi,
  anthropic: {
    whole: ({ text, finish = null }) => ({
      type: "message",
      content: text.length === 0 ? [] : [{ type: "text", text: text.join("") }],
      stop_reason: stopReason(finish),
    }),
    events: ({ text, finish = null }) => [
      { type: "message_start", message: { content: [] } },
      ...text.map((piece) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: piece },
      })),
      ...(finish === null ? [] : [{ type: "message_delta", delta: { stop_reason: stopReason(finish) } }]),
    ],
    mark: [{ type: "message_stop" }],
  },
  "openai-responses": {
    whole: ({ text, finish = null }) => ({
      ...(finish !== null && responseEnd(finish)),
      output:
        text.length === 0
          ? []
          : [{ type: "message", content: [{ type: "output_text", text: text.join("") }] }],
    }),
    events: ({ text, finish = null }) => [
      { type: "response.created", response: {} },
      ...text.map((delta) => ({ type: "response.output_text.delta", delta })),
      ...(finish === null
        ? []
        : [
            {
              type: finish === "error" ? "response.failed" : "response.completed",
              response: responseEnd(finish),
            },
          ]),
    ],
    mark: [],
  },
};
function responseEnd(finish: string) {
  if (finish === "error") return { status: "failed", error: { code: "server_error", message: "It broke." } };
  return finish === "stop"
    ? { status: "completed" }
    : { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
}

const bytesOf = (events: readonly (object | string)[]): Buffer =>
  Buffer.from(
    events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join(""),
  );

interface Upstream {
  /** The bytes of the answer; an error at the end breaks the connection. */
  pieces: (Buffer | Error)[];
  type?: string;
  rules?: Partial<Mapped>;
}

const request = {
  input: { messages: [] },
  media: [],
  operation: { api_type: "chat-completions", limits: {} },
  signal: new AbortController().signal,
  log: { warn: () => undefined },
} as unknown as ProviderRequest;

function providerOf(protocol: string, { pieces, type = "text/event-stream", rules }: Upstream) {
  async function* sent() {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield piece;
    }
  }
  const body = Readable.from(sent());
  // As the client of upstreams does for answers that are not read to their end.
  body.on("error", () => undefined);
  const upstream = {
    name: "up",
    settings: { timeouts: {} },
    json: async () => JSON.parse(Buffer.concat(pieces as Buffer[]).toString()),
    open: async () => ({ status: 200, headers: { "content-type": type }, body }),
  };
  const mapped = { upstream, model: "m", ...rules } as unknown as Mapped;
  const parts = { entry: {}, database: {}, fetchOutput: () => undefined };
  return protocolOf(protocol).open(parts as never)(mapped);
}

interface Outcome {
  text: string | null;
  finish: string | null;
  deltas: string[];
}

/** A stream as its caller sees it. A failure carries what came before it. */
async function streamed(protocol: string, upstream: Upstream): Promise<Outcome> {
  const transcript = createTranscript(request);
  const deltas: string[] = [];
  const said = () => {
    const [choice] = transcript.choices();
    return { text: choice?.message.content ?? null, finish: choice?.finish_reason ?? null, deltas };
  };
  try {
    for await (const part of providerOf(protocol, upstream).stream(request)) {
      transcript.add(part);
      deltas.push(...part.choices.map(({ delta }) => String(delta.content ?? "")));
    }
  } catch (error) {
    throw Object.assign(error as Error, { said: said() });
  }
  return said();
}

async function whole(protocol: string, upstream: Upstream): Promise<Outcome> {
  const result = await providerOf(protocol, upstream).execute(request);
  if (result.kind !== "chat") throw new Error("a chat answers with a chat");
  const [choice] = result.completion.choices;
  return { text: choice?.message.content ?? null, finish: choice?.finish_reason ?? null, deltas: [] };
}

const protocols = Object.keys(writers);
const writerOf = (protocol: string) => writers[protocol] as Writer;
it("every protocol of chats is asked here", () => {
  const ofChats = allProtocols.filter(({ kinds }) => kinds.includes("chat-completions"));
  expect(protocols.toSorted()).toEqual(ofChats.map(({ name }) => name).toSorted());
});

type Form = "whole" | "streamed";
const forms: Form[] = ["whole", "streamed"];
const cases = protocols.flatMap((protocol) => forms.map((form) => ({ protocol, form })));

/** An answer that ends as usual. */
function ask(protocol: string, form: Form, said: Said, rules: Partial<Mapped> = {}): Promise<Outcome> {
  const { whole: body, events, mark } = writerOf(protocol);
  if (form === "whole") return whole(protocol, { pieces: [Buffer.from(JSON.stringify(body(said)))], rules });
  return streamed(protocol, { pieces: [bytesOf([...events(said), ...mark, done])], rules });
}

const text = ["Blue ", "light ", "scatters."];

describe.each(cases)("an answer of $protocol, $form", ({ protocol, form }) => {
  it.each(["stop", "length"])("is complete with the finish reason %s", async (finish) => {
    expect(await ask(protocol, form, { text, finish })).toMatchObject({ text: text.join(""), finish });
  });

  it("without any content is invalid, whatever its route accepts", async () => {
    for (const acceptsUnfinished of [false, true])
      await expect(ask(protocol, form, { text: [] }, { acceptsUnfinished })).rejects.toMatchObject({
        code: "upstream_invalid_response",
      });
  });

  it("with content and without a finish reason is broken, unless its route accepts it", async () => {
    await expect(ask(protocol, form, { text })).rejects.toMatchObject({
      code: "upstream_stream_interrupted",
      message: expect.stringContaining("unfinished_answers"),
    });
    const accepted = await ask(protocol, form, { text }, { acceptsUnfinished: true });
    expect(accepted).toMatchObject({ text: text.join(""), finish: "stop" });
  });

  it("that ends with an error has failed", async () => {
    const rules = { acceptsUnfinished: true };
    await expect(ask(protocol, form, { text, finish: "error" }, rules)).rejects.toMatchObject({
      code: "upstream_error",
    });
  });
});

const reset = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });

describe.each(protocols)("a stream of %s", (protocol) => {
  const { events, mark, whole: body } = writerOf(protocol);

  it.each([
    ["ended", []],
    ["reset", [reset]],
  ])("that was %s after its finish reason is complete", async (_, end) => {
    const pieces = [bytesOf(events({ text, finish: "stop" })), ...end];
    expect(await streamed(protocol, { pieces })).toMatchObject({ text: text.join(""), finish: "stop" });
  });

  it.each([
    ["ended", []],
    ["reset", [reset]],
  ])("that was %s before its finish reason is broken, whatever its route accepts", async (_, end) => {
    const pieces = [bytesOf(events({ text })), ...end];
    await expect(streamed(protocol, { pieces, rules: { acceptsUnfinished: true } })).rejects.toMatchObject({
      code: "upstream_stream_interrupted",
    });
  });

  it("that is JSON instead is the answer, in one piece, and its route remembers that", async () => {
    const answer = Buffer.from(JSON.stringify(body({ text, finish: "stop" })));
    const memory = { untilMs: 0 };
    const upstream = { pieces: [answer], type: "application/json", rules: { whole: memory } };
    expect(await streamed(protocol, upstream)).toEqual({
      text: text.join(""),
      finish: "stop",
      deltas: [text.join("")],
    });
    expect(memory.untilMs).toBeGreaterThan(Date.now());
  });

  it("that is neither events nor JSON is invalid", async () => {
    const pieces = [Buffer.from("<html>Sign in</html>")];
    await expect(streamed(protocol, { pieces, type: "text/html" })).rejects.toMatchObject({
      code: "upstream_invalid_response",
    });
  });

  const words = ["Grüße ", "🌊 ", "好的 ", "four ", "five "];
  const good = bytesOf([...events({ text: words, finish: "stop" }), ...mark, done]);
  const spoiled = (at: number, isInserted: boolean) => [
    Buffer.concat([good.subarray(0, at), Buffer.from([0xff]), good.subarray(isInserted ? at : at + 1)]),
  ];
  const offsets = [...good.keys()].flatMap((at) => [
    { at, isInserted: true },
    { at, isInserted: false },
  ]);

  it("with a byte that is not UTF-8 loses nothing silently, wherever the byte is", async () => {
    const lost: object[] = [];
    for (const { at, isInserted } of offsets) {
      const outcome = await streamed(protocol, { pieces: spoiled(at, isInserted) }).catch(
        (error: { code?: string }) => error,
      );
      const isWhole = "text" in outcome && outcome.text === words.join("");
      const isRefused = "code" in outcome && /^upstream_(invalid|stream)/.test(String(outcome.code));
      if (!isWhole && !isRefused) lost.push({ at, isInserted, outcome });
    }
    expect(lost).toEqual([]);
  });

  it("loses one event to such a byte if its route skips broken events", async () => {
    const lost: object[] = [];
    for (const { at, isInserted } of offsets) {
      const pieces = spoiled(at, isInserted);
      const rules = { skipsMalformed: true, acceptsUnfinished: true };
      const outcome = await streamed(protocol, { pieces, rules }).catch(
        (error: { said?: Outcome }) => error.said,
      );
      const allButOne = words.map((_, left) => words.filter((__, index) => index !== left).join(""));
      if (![words.join(""), ...allButOne].includes(outcome?.text ?? ""))
        lost.push({ at, isInserted, outcome });
    }
    expect(lost).toEqual([]);
  });

  it.each([
    ["between two pieces", ["a \ud83c", "\udf0a b"], "a 🌊 b"],
    ["into single pieces", ["a ", "\ud83c", "\udf0a", " b"], "a 🌊 b"],
    ["and lost its second half", ["a \ud83c", " b"], "a \ufffd b"],
    ["and lost its first half", ["a ", "\udf0a b"], "a \ufffd b"],
    ["at its end", ["a \ud83c"], "a \ufffd"],
  ])("that cuts a character %s gives the caller only whole ones", async (_, pieces, whole) => {
    const stream = bytesOf([...events({ text: pieces, finish: "stop" }), ...mark, done]);
    const outcome = await streamed(protocol, { pieces: [stream] });
    expect(outcome.text).toBe(whole);
    expect(outcome.deltas.every((delta) => delta.isWellFormed())).toBe(true);
  });

  it("that breaks in the middle of a character has only the text before it", async () => {
    const pieces = [bytesOf(events({ text: ["a \ud83c"] })), reset];
    await expect(streamed(protocol, { pieces })).rejects.toMatchObject({ said: { text: "a " } });
  });
});

it.each(protocols)("a whole answer of %s has only whole characters", async (protocol) => {
  const answer = writerOf(protocol).whole({ text: ["a \ud83c b \ud83c\udf0a \ud83c"], finish: "stop" });
  const outcome = await whole(protocol, { pieces: [Buffer.from(JSON.stringify(answer))] });
  expect(outcome.text).toBe("a \ufffd b 🌊 \ufffd");
});

it("a character that is cut in the arguments of a call is joined", async () => {
  const call = (args: string) =>
    chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: args } }] });
  const events = [call('{"a":"\ud83c'), call('\udf0a"}'), chunk({}, "tool_calls"), done];
  const transcript = createTranscript(request);
  for await (const part of providerOf("openai", { pieces: [bytesOf(events)] }).stream(request)) {
    expect(JSON.stringify(part)).not.toContain("\\ud83c");
    transcript.add(part);
  }
  expect(transcript.choices()[0]?.message.tool_calls?.[0]?.function?.arguments).toBe('{"a":"🌊"}');
});
