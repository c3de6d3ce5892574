import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GuardQuestion } from "#contract/guards.ts";
import type { Prediction } from "#contract/prediction.ts";
import {
  providerAt,
  testKeys,
  writeProvidersFile,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { type Answer, startReceiver } from "#gateway/testing/receiver.ts";
import { wrongAnswers } from "./testing/wrong-answers.ts";

/* Guards that are asked after a run: what nobody gets, what is kept, and what is paid. */

/** The pieces in which the upstream streams its answer. */
let words: string[] = ["The ", "secret ", "word."];
/** How many answers the upstream streams, piece by piece in turns. */
let answers = 1;
/** Holds the upstream's stream after its first pieces. */
let midway: Promise<void> | null = null;
let message: object | null = null;

const scene = shared(async () => {
  Object.assign(process.env, testKeys);
  const usage = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };
  const upstream = await startUpstream(async (seen, response) => {
    const whole = message ?? { role: "assistant", content: words.join("") };
    if (seen.json().stream !== true)
      return sendJson(response, { choices: [{ index: 0, finish_reason: "stop", message: whole }], usage });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (chunk: object) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    for (const [at, content] of words.entries()) {
      if (at === words.length - 1) await midway;
      for (let index = 0; index < answers; index += 1) {
        const delta = { content: index === 0 ? content : content.toUpperCase() };
        send({ choices: [{ index, finish_reason: null, delta }] });
      }
    }
    for (let index = 0; index < answers; index += 1)
      send({ choices: [{ index, finish_reason: "stop", delta: {} }] });
    send({ choices: [], usage });
    response.end("data: [DONE]\n\n");
  });
  const authority = await makeAuthority(newFolder("guards"));
  const receiver = await startReceiver(authority.local);
  const providersFile = writeProvidersFile({
    providers: { acme: providerAt(upstream) },
    routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
  });
  const gateway = await startTestGateway({ providersFile, webhooks: webhooksTo(receiver.port, authority) });
  return {
    ...{ upstream, receiver, gateway },
    async close() {
      await gateway.close();
      await receiver.close();
      await upstream.close();
    },
  };
});

let account: TestAccount;
beforeEach(async () => {
  account = await scene.gateway.createAccount();
  scene.receiver.answer(saying({ action: "allow" }));
  scene.receiver.received.length = 0;
  scene.upstream.seen.length = 0;
});
afterEach(() => {
  words = ["The ", "secret ", "word."];
  answers = 1;
  midway = null;
  message = null;
});

const saying =
  (verdict: object): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
const blocking = saying({ action: "block", reason: "It tells a secret." });
const owner = (method: string, path: string, body?: unknown) =>
  call(scene.gateway, account.session, method, path, body);
const setGuard = async (more: object = {}) => {
  const settings = { url: `${scene.receiver.url}/guard`, stages: ["output"], ...more };
  const made = await owner("POST", "/account/guard", settings);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
};
const run = (path: string, body: object, headers = {}) =>
  call(scene.gateway, account.key, "POST", path, body, headers);
const asked = { model: "svc/chat-1", messages: [{ role: "user", content: "Which?" }] };
const chat = (more: object = {}, headers = {}) => run("/chat/completions", { ...asked, ...more }, headers);
const questions = () => scene.receiver.received.map(({ body }) => JSON.parse(body) as GuardQuestion);
const errorOf = ({ body }: { body: Record<string, unknown> }) =>
  body.error as { code: string; message: string };
/** The requests of the account's key in the log. */
const logged = async () => {
  const { data } = (await owner("GET", "/requests")).body as { data: { key_id: string | null }[] };
  return data.filter(({ key_id: key }) => key !== null);
};

/** The text of a stream, as it arrives. */
async function stream(path: string, body: object, onText = (_: string) => {}, signal?: AbortSignal) {
  const response = await fetch(`${scene.gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true }),
    ...(signal && { signal }),
  });
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    onText(text);
  }
  return text;
}

describe("a guard that blocks the output", () => {
  beforeEach(async () => {
    await owner("PATCH", "/account", { contents: { keep: "all" } });
    await setGuard();
    scene.receiver.answer(blocking);
  });

  it("of a chat: the run is counted and said so, and its text is nowhere", async () => {
    const once = { "idempotency-key": "once" };
    const refused = await chat({}, once);
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(errorOf(refused)).toMatchObject({
      ...{
        code: "content_blocked",
        message: expect.stringMatching(/has run and is counted: It tells a secret/),
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain("word.");
    const row = async () => (await owner("GET", `/requests/${refused.headers.get("x-request-id")}`)).body;
    await expect.poll(async () => (await row()).code).toBe("content_blocked");
    expect(await row()).toMatchObject({
      ...{ usage: { unit: "token", quantity: 70 }, guards: [{ stage: "output", result: "blocked" }] },
    });
    const contents = async () => (await owner("GET", "/contents")).body.data as { id: string }[];
    await expect.poll(async () => (await contents()).length).toBe(1);
    const [{ id }] = (await contents()) as [{ id: string }];
    expect(JSON.stringify((await owner("GET", `/contents/${id}`)).body)).not.toContain("word.");
    // The refusal is not kept either: the next try runs.
    scene.receiver.answer(saying({ action: "allow" }));
    expect((await chat({}, once)).status).toBe(200);
    expect(scene.upstream.seen).toHaveLength(2);
  });

  it.each([
    ["/chat/completions", asked, /"code":"content_blocked"/],
    ["/responses", { model: "svc/chat-1", input: "Which?" }, /response.failed.*content_blocked/s],
    ["/messages", { ...asked, max_tokens: 10 }, /event: error.*It tells a secret/s],
  ] as const)("of a stream of %s ends it with an error in its own format", async (path, body, error) => {
    const text = await stream(path, body);
    expect(text).toMatch(error);
    expect(text).not.toMatch(/\[DONE\]|response\.completed|message_stop/);
    await expect.poll(logged).toMatchObject([{ code: "content_blocked", usage: { quantity: 70 } }]);
  });

  it("of a stored response keeps nothing of it", async () => {
    const text = await stream("/responses", { model: "svc/chat-1", input: "Which?", store: true });
    const id = /"id":"(resp_\w+)"/.exec(text)?.[1];
    expect((await owner("GET", `/responses/${id}`)).status).toBe(404);
  });

  it.each([
    ["images", "/images/generations", { model: "svc/img-gen-a-1", prompt: "A pine" }, "image"],
    [
      "speech",
      "/audio/speech",
      { model: "svc/tts-a-1", input: "Hello", voice: "sandbox-voice-ada" },
      "audio",
    ],
  ])("of %s removes the files that it has seen", async (_, path, body, kind) => {
    let seen = 0;
    scene.receiver.answer(async (received, response, request) => {
      const { files } = JSON.parse(received.body) as GuardQuestion;
      seen = (await (await fetch(files[0]?.url ?? "")).arrayBuffer()).byteLength;
      blocking(received, response, request);
    });
    const refused = await run(path, body);
    expect(errorOf(refused)?.code, JSON.stringify(refused.body)).toBe("content_blocked");
    const [{ files }] = questions() as [GuardQuestion];
    expect(files).toMatchObject([{ kind, size_bytes: seen }]);
    expect((await fetch(files[0]?.url ?? "")).status).not.toBe(200);
  });

  it("of a prediction: it fails, is charged, its files are removed, and events say why", async () => {
    const made = await run("/videos/generations", { model: "svc/vid-t2v", prompt: "A pine", duration: 2 });
    const read = async () =>
      (await owner("GET", `/predictions/${made.body.id}`)).body as unknown as Prediction;
    await expect.poll(async () => (await read()).status).toBe("failed");
    const { error, output, data, usage, timeline } = await read();
    expect({ error, output, data, usage }).toMatchObject({
      ...{ error: { code: "content_blocked" }, output: null, data: null },
      usage: { unit: "second", quantity: 2 },
    });
    expect(timeline).toContainEqual(
      expect.objectContaining({
        event: "guard_answered",
        detail: { of: "account", stage: "output", result: "blocked" },
      }),
    );
    const [{ files, run_id: runId }] = questions() as [GuardQuestion];
    expect(runId).toBe(made.body.id);
    await expect.poll(async () => (await fetch(files[0]?.url ?? "")).status).not.toBe(200);
    const { data: events } = (await owner("GET", "/events")).body as { data: { type: string }[] };
    expect(events.map(({ type }) => type)).toEqual(["prediction.failed"]);
    const audit = async () => (await owner("GET", "/audit_logs?action=guard.blocked")).body.data;
    await expect.poll(async () => ((await audit()) as unknown[]).length).toBe(1);
    expect(await audit()).toMatchObject([{ detail: { stage: "output", run_id: made.body.id } }]);
  });
});

describe("a guard that replaces the output", () => {
  beforeEach(() => setGuard());

  it("of a chat by text has the caller get that, without what else the model said", async () => {
    message = { role: "assistant", content: "The secret word.", reasoning_content: "I know the secret." };
    scene.receiver.answer(saying({ action: "replace", output: { text: "The [removed] word." } }));
    const answer = await chat();
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { choices } = answer.body as { choices: { message: object }[] };
    expect(choices[0]?.message).toMatchObject({ content: "The [removed] word." });
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(questions()[0]?.output?.text).toContain("I know the secret.");
  });

  it("of a transcription replaces its times too, in every format", async () => {
    const headers = { authorization: `Bearer ${account.key}` };
    const speech = await fetch(`${scene.gateway.url}/audio/speech`, {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
      body: JSON.stringify({ model: "svc/tts-a-1", input: "A secret.", voice: "sandbox-voice-ada" }),
    });
    const sound = new Blob([await speech.arrayBuffer()], { type: "audio/wav" });
    scene.receiver.answer(saying({ action: "replace", output: { text: "[removed]" } }));
    for (const format of ["json", "srt", "verbose_json"]) {
      const form = new FormData();
      form.set("model", "svc/asr-1");
      form.set("response_format", format);
      form.set("file", sound, "speech.wav");
      const heard = await fetch(`${scene.gateway.url}/audio/transcriptions`, {
        method: "POST",
        headers,
        body: form,
      });
      const text = await heard.text();
      expect([format, heard.status, text]).toEqual([format, 200, expect.stringContaining("[removed]")]);
      expect(text).not.toContain(String(questions().at(-1)?.output?.text));
    }
  });

  it.each([
    ["something else than text", { action: "replace", output: { choices: [] } }, /something else than/],
    ["nothing", { action: "replace" }, /not an object/],
    ["an input", { action: "replace", input: { messages: [] } }, /not an object/],
  ])("by %s fails", async (_, verdict, reason) => {
    scene.receiver.answer(saying(verdict));
    const refused = await chat();
    expect(errorOf(refused)).toMatchObject({
      ...{ code: "guard_unavailable", message: expect.stringMatching(reason) },
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(refused.headers.get("retry-after")).toBeNull();
  });

  it("of a picture or a stream fails, because these can only be allowed or blocked", async () => {
    scene.receiver.answer(saying({ action: "replace", output: { text: "Nothing." } }));
    const refused = await run("/images/generations", { model: "svc/img-gen-a-1", prompt: "A pine" });
    expect(errorOf(refused).message).toContain("can only be allowed or blocked");
    expect(await stream("/chat/completions", asked)).toContain("guard_unavailable");
  });
});

describe("a guard for which streams are held back", () => {
  const piece = "x".repeat(60);
  beforeEach(() => setGuard({ streams: "hold", hold_characters: 100 }));

  it("sees the text so far and each new piece, before the caller does", async () => {
    words = Array<string>(5).fill(piece);
    const shown: number[] = [];
    let received = 0;
    scene.receiver.answer((from, response, request) => {
      shown.push(received);
      saying({ action: "allow" })(from, response, request);
    });
    const text = await stream("/chat/completions", asked, (so) => {
      received = so.split(piece).length - 1;
    });
    expect(text.split(piece)).toHaveLength(6);
    const outputs = questions().map(({ output }) => output);
    expect(
      outputs.map((output) => [output?.text?.length, output?.piece?.length, output?.is_complete]),
    ).toEqual([
      [120, 120, false],
      [240, 120, false],
      [300, 60, true],
    ]);
    expect(shown.every((seen, at) => seen <= at * 2)).toBe(true);
  });

  it("sees each of several answers by itself", async () => {
    answers = 2;
    words = Array<string>(3).fill(piece);
    const text = await stream("/chat/completions", { ...asked, n: 2 });
    expect(text.split(piece)).toHaveLength(4);
    expect(text.split(piece.toUpperCase())).toHaveLength(4);
    const outputs = questions().map(({ output }) => output);
    const [one, other] = [piece, piece.toUpperCase()];
    const round = [
      [0, one, false],
      [1, other, false],
    ];
    expect(outputs.map((output) => [output?.choice, output?.piece, output?.is_complete])).toEqual([
      ...round,
      ...round,
      ...round,
      [null, null, true],
    ]);
    expect(outputs.at(-1)?.text).toBe(`${one.repeat(3)}\n\n${other.repeat(3)}`);
    expect(outputs.at(-2)?.text).toBe(other.repeat(3));
  });

  it("blocks a piece: the caller has what was allowed before, and the upstream is left", async () => {
    words = [piece, piece, "The secret ", piece, piece];
    scene.receiver.answer((received, response, request) => {
      const { output } = JSON.parse(received.body) as GuardQuestion;
      (output?.piece?.includes("secret") ? blocking : saying({ action: "allow" }))(
        received,
        response,
        request,
      );
    });
    const text = await stream("/chat/completions", asked);
    expect(text.split(piece)).toHaveLength(3);
    expect(text).not.toContain("secret ");
    expect(text).toContain("content_blocked");
  });

  it("is not asked any more once the caller has left, and the run is settled", async () => {
    words = [piece, piece, "more"];
    const hanging = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    scene.receiver.answer((_, response) => {
      response.on("close", () => gone.resolve());
      hanging.resolve();
    });
    const leaving = new AbortController();
    const streaming = stream("/chat/completions", asked, undefined, leaving.signal).catch(() => null);
    await hanging.promise;
    leaving.abort();
    await gone.promise;
    await streaming;
    await expect.poll(logged).toMatchObject([{ usage: { unit: "token" } }]);
    expect((await owner("GET", "/account/guard")).body.failing_since).toBeNull();
  });
});

describe("a guard that fails after a run", () => {
  const failures: [string, Answer, RegExp][] = [
    ...wrongAnswers,
    ["replaces with nothing", saying({ action: "replace" }), /not an object/],
    [
      "replaces with what is no text",
      saying({ action: "replace", output: { text: 7 } }),
      /something else than/,
    ],
    ["replaces the input", saying({ action: "replace", input: asked }), /not an object/],
    [
      "names another model",
      saying({ action: "replace", output: { text: "Fine.", model: "svc/chat-2" } }),
      /something else than/,
    ],
  ];

  it.each(failures)(
    "because it %s keeps the output back, and lets it pass if its owner chose that",
    async (_, answer, reason) => {
      await setGuard();
      scene.receiver.answer(answer);
      const [refused, streamed] = await Promise.all([chat(), stream("/chat/completions", asked)]);
      expect(errorOf(refused)).toMatchObject({
        code: "guard_unavailable",
        message: expect.stringMatching(reason),
      });
      expect(refused.headers.get("x-should-retry")).toBe("false");
      expect(streamed).toContain("guard_unavailable");
      await owner("PATCH", "/account/guard", { on_error: "allow" });
      expect((await chat()).status).toBe(200);
    },
  );

  it("because it runs a model itself with a key that is guarded ends", async () => {
    const made = await owner("POST", "/keys", { name: "of the guard", kind: "service", max_concurrency: 5 });
    await setGuard();
    scene.receiver.answer(async (received, response, request) => {
      await call(scene.gateway, String(made.body.secret), "POST", "/chat/completions", asked).catch(
        () => null,
      );
      saying({ action: "allow" })(received, response, request);
    });
    const ended = await chat();
    expect([200, 503]).toContain(ended.status);
    expect(questions().length).toBeLessThan(20);
  });

  it("a prediction that is cancelled meanwhile keeps none of its hidden files", async () => {
    await setGuard();
    scene.receiver.answer((_, response) => void response.writeHead(500).end());
    const made = await run("/videos/generations", { model: "svc/vid-t2v", prompt: "A pine", duration: 2 });
    const { database, store } = scene.gateway.context;
    const rowOf = async () => {
      const like = eq(predictions.id, String(made.body.id));
      return (await database.queries.select().from(predictions).where(like))[0];
    };
    // Between two questions nobody works on it.
    await expect.poll(async () => (await rowOf())?.unchecked?.failures).toBe(1);
    const keys = ((await rowOf())?.outputs ?? []).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(0);
    expect((await owner("POST", `/predictions/${made.body.id}/cancel`)).status).toBe(200);
    for (const key of keys) expect(await store.get(key)).toBeNull();
    expect((await rowOf())?.outputs).toBeNull();
  });

  it("is asked about a prediction again, which shows nothing meanwhile and does not run again", async () => {
    await setGuard();
    const between: Partial<Prediction>[] = [];
    const read = async (id: string) =>
      (await owner("GET", `/predictions/${id}`)).body as unknown as Prediction;
    let id = "";
    scene.receiver.answer(async (received, response, request) => {
      between.push(await read(JSON.parse(received.body).run_id));
      if (between.length === 1) response.writeHead(500).end();
      else saying({ action: "allow" })(received, response, request);
    });
    const made = await run("/videos/generations", { model: "svc/vid-t2v", prompt: "A pine", duration: 2 });
    id = String(made.body.id);
    await expect.poll(async () => (await read(id)).status).toBe("succeeded");
    expect(between).toMatchObject([
      { status: "processing", output: null, data: null },
      { status: "processing", output: null, data: null },
    ]);
    const { timeline, output } = await read(id);
    expect(timeline.filter(({ event }) => event === "started")).toHaveLength(1);
    expect((await fetch(String(output))).status).toBe(200);
  });
});

it("decides about each of many runs at once by itself", async () => {
  await setGuard({ streams: "hold" });
  scene.receiver.answer((received, response, request) => {
    const { metadata } = JSON.parse(received.body) as GuardQuestion;
    const isEven = Number(metadata?.number) % 2 === 0;
    (isEven ? blocking : saying({ action: "allow" }))(received, response, request);
  });
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const ended = await Promise.all(
    numbers.map(async (number) => {
      const more = { metadata: { number: String(number) } };
      if (number % 3 > 0) return (await chat(more)).status === 200;
      const text = await stream("/chat/completions", { ...asked, ...more });
      return text.includes("word.") && !text.includes("content_blocked");
    }),
  );
  expect(ended).toEqual(numbers.map((number) => number % 2 === 1));
});

it("is asked once at each of its stages, and counted by stage", async () => {
  await setGuard({ stages: ["input", "output"] });
  expect((await chat()).status).toBe(200);
  expect(questions().map(({ stage }) => stage)).toEqual(["input", "output"]);
  const activity = async () => (await owner("GET", "/account/guard/activity")).body.data;
  await expect.poll(activity).toMatchObject([
    { stage: "input", allowed: 1, blocked: 0, replaced: 0, failed: 0 },
    { stage: "output", allowed: 1 },
  ]);
});
