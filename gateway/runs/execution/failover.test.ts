import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { WebSocket } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import {
  type MappedGateway,
  providerAt,
  startMappedGateway,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { call } from "#gateway/testing/gateway.ts";
import { StreamTo } from "./chat-stream.ts";

/*
 * The sixteen faults of Failover Bench (methodology v0.1). Each is run by a fake upstream behind an alias of
 * two models; the second one is healthy. The silence limits of 10 and 25 seconds are shortened, and the
 * pauses of the faults in proportion.
 */
const shortened = { first_token: 500, next_token: 700, answer: 2_000, idle: 2_000 };
const pauseMs = 1_000;
/** A busy machine may answer late. */
const patient = { ...shortened, answer: 10_000, idle: 10_000 };
const tokens = Array.from({ length: 60 }, (_, at) => `w${at} `);
const whole = tokens.join("");
const hello = [{ role: "user", content: "Count." }];

/** The upstream's reaction to its n-th request (from 0). */
type Fault = (response: ServerResponse, n: number, body: Asked) => void | Promise<void>;
interface Asked {
  stream?: boolean;
  messages: { role: string; content: string }[];
}

interface Paid {
  amount: string | null;
}

/** A fake upstream that answers with its current fault, if it has one. */
interface Wall {
  origin: string;
  fault: Fault;
  /** The arrival times of its requests, in ms. */
  asked: number[];
  bodies: Asked[];
  close(): Promise<void>;
}

async function startWall(): Promise<Wall> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text.startsWith("{") ? JSON.parse(text) : { messages: [] }) as Asked;
    wall.asked.push(performance.now());
    wall.bodies.push(body);
    await wall.fault(response, wall.asked.length - 1, body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const wall: Wall = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: answers(),
    asked: [],
    bodies: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return wall;
}

const chunkOf = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 };
const usageEvent = `data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\n`;

function writeHead(response: ServerResponse, { stream }: Pick<Asked, "stream">): void {
  response.writeHead(200, { "content-type": stream === true ? "text/event-stream" : "application/json" });
  response.flushHeaders();
}

/** Sends the tokens between two positions. */
function say(response: ServerResponse, from: number, to: number): void {
  for (const token of tokens.slice(from, to)) response.write(chunkOf({ content: token }));
}

/** A good answer; continues the text of a prefilled assistant message. */
function goodAnswer(body: Asked, end = "data: [DONE]\n\n"): string {
  const last = body.messages.at(-1);
  const from = last?.role === "assistant" ? last.content.trim().split(/\s+/).length : 0;
  if (body.stream === true)
    return [
      chunkOf({ role: "assistant", content: "" }),
      ...tokens.slice(from).map((token) => chunkOf({ content: token })),
      chunkOf({}, "stop") + usageEvent + end,
    ].join("");
  const message = { role: "assistant", content: tokens.slice(from).join("") };
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage });
}

function answers(end?: string): Fault {
  return (response, _n, body) => {
    writeHead(response, body);
    response.end(goodAnswer(body, end));
  };
}

const status =
  (code: number, error: object = { message: "no" }, headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error }));
  };
const json =
  (body: object): Fault =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
const reset: Fault = (response) => void response.socket?.resetAndDestroy();
const silence: Fault = () => undefined;
const first =
  (fault: Fault, times = 1): Fault =>
  (response, n, body) =>
    (n < times ? fault : answers())(response, n, body);
/** Starts with some correct tokens, then misbehaves. */
const breaksAfter =
  (count: number, then: (response: ServerResponse) => void | Promise<void>): Fault =>
  async (response, _n, body) => {
    writeHead(response, body);
    response.write(chunkOf({ role: "assistant", content: "" }));
    say(response, 0, count);
    await then(response);
  };
const cut = (response: ServerResponse) => void setTimeout(() => response.socket?.destroy(), 20);

interface Outcome {
  text: string;
  model: string | null;
  error: { code: string; message: string } | null;
  isDone: boolean;
  tokens: number | null;
  ms: number;
}

type Grade = "pass" | "partial" | "safe" | "fail";

interface Scenario {
  id: string;
  fault: Fault;
  /** The fault of the second model, if it fails too. */
  second?: Fault;
  /** An additional condition that the bench recommends besides a complete answer. */
  advised?: (outcome: Outcome, wall: Wall, second: Wall) => boolean;
  /** With default settings, and with the best settings. */
  grades: [Grade, Grade];
  /** Set if an error is the correct result. */
  rightError?: string;
}

const isFrom = (model: string) => (outcome: Outcome) => outcome.model === model;
const gapOf = ({ asked }: Wall) => (asked[1] ?? 0) - (asked[0] ?? 0);

const scenarios: Scenario[] = [
  {
    id: "S01 a 429 with Retry-After, once",
    fault: first(status(429, { message: "slow down" }, { "retry-after-ms": "250" })),
    advised: (_told, wall) => wall.asked.length === 2 && gapOf(wall) >= 225,
    grades: ["partial", "pass"],
  },
  {
    id: "S02 always 429",
    fault: status(429, { message: "slow down" }, { "retry-after-ms": "250" }),
    advised: (_told, wall) => wall.asked.length <= 4,
    grades: ["pass", "pass"],
  },
  {
    id: "S03 a 500, once",
    fault: first(status(500)),
    advised: (outcome, wall) => wall.asked.length === 2 && isFrom("svc/chat-1")(outcome),
    grades: ["pass", "pass"],
  },
  {
    id: "S04 always 503",
    fault: status(503),
    advised: (_, wall) => wall.asked.length <= 2,
    grades: ["pass", "pass"],
  },
  { id: "S05 a reset before any byte, once", fault: first(reset), grades: ["pass", "pass"] },
  {
    id: "S06 accepts and never answers",
    fault: silence,
    advised: (outcome, wall) => wall.asked.length === 1 && outcome.ms < 5_000,
    grades: ["pass", "pass"],
  },
  {
    id: "S07 headers at once, the first token late",
    fault: async (response, _n, body) => {
      writeHead(response, body);
      response.write(": keep-alive\n\n");
      await sleep(pauseMs);
      response.end(goodAnswer(body));
    },
    advised: isFrom("svc/chat-2"),
    grades: ["pass", "pass"],
  },
  { id: "S08 cut after 40 of 60 tokens", fault: breaksAfter(40, cut), grades: ["safe", "pass"] },
  {
    id: "S09 silent after 20 tokens",
    fault: breaksAfter(20, async (response) => {
      await sleep(pauseMs);
      response.socket?.destroy();
    }),
    grades: ["safe", "pass"],
  },
  {
    id: "S10 the tenth event is no JSON",
    fault: breaksAfter(9, (response) => {
      response.write('data: {"id": "c", "choi\n\n');
      say(response, 9, tokens.length);
      response.end(`${chunkOf({}, "stop")}${usageEvent}data: [DONE]\n\n`);
    }),
    grades: ["safe", "pass"],
  },
  {
    id: "S11 no [DONE]",
    fault: answers(""),
    advised: (outcome) => outcome.tokens === usage.total_tokens,
    grades: ["pass", "pass"],
  },
  {
    id: "S12 the input is too long for its model",
    fault: status(400, { code: "context_length_exceeded", message: "too long" }),
    advised: (_told, wall) => wall.asked.length === 1,
    grades: ["pass", "pass"],
  },
  {
    id: "S13 its content policy refuses",
    fault: status(400, { code: "content_policy_violation", message: "no" }),
    rightError: "content_policy_violation",
    advised: (_told, wall) => wall.asked.length === 1,
    grades: ["pass", "pass"],
  },
  {
    id: "S14 cut after 40 tokens, and the next model refuses a prefilled answer",
    fault: breaksAfter(40, cut),
    second: (response, n, body) =>
      body.messages.at(-1)?.role === "assistant"
        ? status(400, { message: "prefilled assistant messages are not supported" })(response, n, body)
        : answers()(response, n, body),
    grades: ["safe", "safe"],
  },
  {
    id: "S16 always 503: the answer names the model that answered",
    fault: status(503),
    advised: (outcome) => outcome.model === "svc/chat-2" && outcome.tokens === usage.total_tokens,
    grades: ["pass", "pass"],
  },
];

/** All settings that help a request to be answered. */
const bestOfRoute = {
  wait_for_retry_after_ms: 3_000,
  malformed_events: "skip",
  continue_streams: true,
  accepts_prefill: true,
};
/** Neither ends nor says its usage after the finish reason. */
const silentAtItsEnd: Fault = (response, _n, body) => {
  writeHead(response, body);
  say(response, 0, tokens.length);
  response.write(chunkOf({}, "stop"));
};
const settings = [
  { name: "with default settings", at: 0, route: {}, alias: {} },
  { name: "with the best settings", at: 1, route: bestOfRoute, alias: {} },
] as const;

describe.each(settings)("an alias of two models, of which the first fails, $name", ({ at, route, alias }) => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    const routes = [
      { models: ["svc/chat-1"], provider: "one", upstream_model: "main", ...route },
      { models: ["svc/chat-2"], provider: "two", upstream_model: "spare", ...route },
    ];
    mapped = await startOn(walls, { routes }, alias);
  });
  afterAll(() => closeAll(mapped, walls));
  // Each test starts with closed breakers and no pauses: an upstream due for a probe gets a good answer and
  // counts as healthy.
  beforeEach(async () => {
    for (const wall of walls) wall.fault = answers();
    vi.setSystemTime(Date.now() + 600_000);
    for (const model of ["svc/chat-1", "svc/chat-2"])
      expect(await ask(model)).toMatchObject({ model, isDone: true });
    vi.useRealTimers();
    for (const wall of walls) Object.assign(wall, { asked: [], bodies: [] });
  });
  afterEach(() => void vi.useRealTimers());

  const ask = async (model: string, more: object = {}): Promise<Outcome> => {
    const begun = performance.now();
    const body = { model, messages: hello, stream: true, ...more };
    const { body: answer } = await mapped.post("/chat/completions", {
      ...body,
      ...(body.stream && { stream_options: { include_usage: true } }),
    });
    return outcomeOf(answer, performance.now() - begun);
  };

  it.each(scenarios.map((one) => ({ ...one, grade: one.grades[at] })))("$id: $grade", async (scenario) => {
    const [wall, second] = walls;
    wall.fault = scenario.fault;
    second.fault = scenario.second ?? answers();
    const outcome = await ask("best");
    expect([gradeOf(scenario, outcome, wall, second), outcome]).toEqual([scenario.grade, outcome]);
    // No token is sent twice or missing in the middle.
    expect(whole.startsWith(outcome.text)).toBe(true);
  });

  it.each([true, false])(
    "takes an answer as whole whose upstream is silent after its finish reason (stream: %s)",
    async (stream) => {
      const [wall, second] = walls;
      wall.fault = silentAtItsEnd;
      expect(await ask("best", { stream })).toMatchObject({ text: whole, isDone: true, error: null });
      expect([wall.asked.length, second.asked.length]).toEqual([1, 0]);
    },
  );
});

describe("the budget of a request and the lists of reasons", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    const reasons = (go_on_when: string[]) => ({ go_on_when });
    mapped = await startOn(
      walls,
      {
        timeouts: patient,
        routes: [
          { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
          { models: ["svc/chat-1"], provider: "two", upstream_model: "spare" },
          { models: ["svc/chat-2"], provider: "one", upstream_model: "main", ...reasons(["busy"]) },
          { models: ["svc/chat-2"], provider: "two", upstream_model: "spare", ...reasons([]) },
        ],
      },
      {},
      { triesPerRequest: 3 },
    );
    const empty = { name: "none", models: ["svc/chat-1", "svc/chat-2"], go_on_when: [] };
    await call(mapped.gateway, mapped.account.session, "POST", "/aliases", empty);
  });
  afterAll(() => closeAll(mapped, walls));
  beforeEach(() => {
    for (const wall of walls) Object.assign(wall, { fault: answers(), asked: [], bodies: [] });
  });
  const ask = (model: string) => mapped.post("/chat/completions", { model, messages: hello });
  const asked = () => walls.map((wall) => wall.asked.length);

  it("makes no more attempts than the budget allows, across routes and models", async () => {
    for (const wall of walls) wall.fault = status(500);
    expect((await ask("best")).status).toBe(502);
    expect(asked()).toEqual([2, 1]);
  });

  it("makes no attempt after the time limit", async () => {
    const { config } = mapped.gateway.context;
    const before = config.tryingMs;
    config.tryingMs = 0;
    walls[0].fault = status(500);
    expect((await ask("svc/chat-1")).status).toBe(502);
    config.tryingMs = before;
    expect(asked()).toEqual([1, 0]);
  });

  it("fails over only for the listed reasons, and never with an empty list", async () => {
    walls[0].fault = status(500);
    expect((await ask("svc/chat-2")).status).toBe(502);
    expect(asked()).toEqual([1, 0]);
    walls[0].fault = status(429);
    walls[1].fault = status(503);
    expect((await ask("svc/chat-2")).status).toBe(503);
    expect(asked()).toEqual([2, 1]);
    for (const wall of walls) wall.fault = status(503);
    expect((await ask("none")).status).toBe(503);
    // The routes of a model have their own lists.
    expect(asked()).toEqual([3, 2]);
  });

  it("waits for a silent model when no other is free", async () => {
    walls[0].fault = async (response, n, body) => {
      await sleep(pauseMs);
      await answers()(response, n, body);
    };
    const answer = await ask("svc/chat-2");
    expect([answer.status, ...asked()]).toEqual([200, 1, 0]);
  });
});

it("does not take an upstream for silent because the gateway itself stood still", async () => {
  const walls: [Wall, Wall] = [await startWall(), await startWall()];
  const mapped = await startOn(walls, {
    routes: [
      { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
      { models: ["svc/chat-1"], provider: "two", upstream_model: "spare" },
    ],
  });
  // The upstream runs in the gateway's process.
  walls[0].fault = (...asked) => {
    for (const until = performance.now() + 2 * shortened.first_token; performance.now() < until; );
    return answers()(...asked);
  };
  await mapped.post("/chat/completions", { model: "svc/chat-1", messages: hello });
  expect(walls.map(({ asked }) => asked.length)).toEqual([1, 0]);
  await closeAll(mapped, walls);
});

describe("a model that thinks without sending anything", () => {
  it.each([
    ["openai/gpt-5-mini", {}, "one"],
    ["o3", {}, "one"],
    ["gpt-4.1", {}, "two"],
    ["gpt-4.1", { thinks_silently: true }, "one"],
    ["gpt-5", { thinks_silently: false }, "two"],
  ])(
    "%s, with %j on its route, is answered by provider %s when its first token is late",
    async (name, more, provider) => {
      const walls: [Wall, Wall] = [await startWall(), await startWall()];
      const mapped = await startOn(walls, {
        routes: [
          { models: ["svc/chat-1"], provider: "one", upstream_model: name, ...more },
          { models: ["svc/chat-1"], provider: "two", upstream_model: "spare" },
        ],
      });
      walls[0].fault = async (response, _n, body) => {
        await sleep(pauseMs);
        writeHead(response, body);
        response.end(goodAnswer(body));
      };
      expect((await mapped.post("/chat/completions", { model: "svc/chat-1", messages: hello })).status).toBe(
        200,
      );
      expect(walls[1].asked).toHaveLength(provider === "two" ? 1 : 0);
      await closeAll(mapped, walls);
    },
  );
});

describe("a stream whose headers were sent before anybody answered", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  const { commitAfterMs } = StreamTo;
  beforeAll(async () => {
    StreamTo.commitAfterMs = 50;
    walls = [await startWall(), await startWall()];
    mapped = await startOn(walls, {
      routes: [
        { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
        { models: ["svc/chat-2"], provider: "two", upstream_model: "spare" },
      ],
    });
    walls[0].fault = silence;
  });
  afterAll(() => {
    StreamTo.commitAfterMs = commitAfterMs;
    return closeAll(mapped, walls);
  });
  const ask = (key: string) =>
    mapped.post(
      "/chat/completions",
      { model: "best", messages: hello, stream: true },
      { "idempotency-key": key },
    );

  it("continues with the next model, and its headers name none", async () => {
    const answer = await ask("one-answer");
    expect(outcomeOf(answer.body, 0)).toMatchObject({ text: whole, isDone: true, model: "svc/chat-2" });
    expect([answer.headers.get("x-svc-alias"), answer.headers.get("x-svc-model")]).toEqual(["best", null]);
    const again = await ask("one-answer");
    expect(again.status).toBe(200);
    expect(again.headers.get("x-svc-model")).toBe("svc/chat-2");
    expect(walls[0].asked).toHaveLength(1);
  });

  it("ends with the last failure, and its key can be used again", async () => {
    walls[1].fault = status(400, { message: "no" });
    for (const times of [1, 2]) {
      // The key is free a moment after the stream has ended.
      const answer = await vi.waitFor(async () => {
        const asked = await ask("no-answer");
        expect(asked.status).toBe(200);
        return asked;
      });
      expect(outcomeOf(answer.body, 0)).toMatchObject({
        isDone: false,
        error: { code: "invalid_parameter" },
      });
      expect(walls[1].asked.length).toBeGreaterThanOrEqual(times);
    }
  });
});

describe("an upstream that is well again", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    mapped = await startOn(walls, {
      routes: [
        { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
        { models: ["svc/chat-2"], provider: "two", upstream_model: "spare" },
      ],
    });
  });
  afterAll(() => closeAll(mapped, walls));
  afterEach(() => void vi.useRealTimers());

  // S15: 503 for a minute, then healthy, with a request every four seconds; run twice, because a cool-down
  // must not grow.
  it("is used again within fifteen seconds if another model is free, and every request succeeds meanwhile", async () => {
    const [wall] = walls;
    const body = { model: "best", messages: hello };
    for (const round of [1, 2]) {
      const begun = Date.now();
      const models: string[] = [];
      for (let second = 0; second < 80; second += 4) {
        vi.setSystemTime(begun + second * 1_000);
        wall.fault = second < 60 ? status(503) : answers();
        const answer = await mapped.post("/chat/completions", body);
        expect([round, second, answer.status]).toEqual([round, second, 200]);
        models.push(String(answer.body.model));
      }
      const recovered = models.lastIndexOf("svc/chat-2") + 1;
      expect(models.slice(0, 15)).toEqual(Array(15).fill("svc/chat-2"));
      expect(recovered * 4 - 60).toBeLessThanOrEqual(12);
      // It is probed every few seconds, not with every request.
      expect(wall.asked.length).toBeLessThan(round * 20);
    }
  });

  it("is not called during its cool-down, even if no other upstream can answer", async () => {
    const [wall] = walls;
    wall.fault = status(503);
    const begun = Date.now();
    for (let times = 0; times < 5; times += 1)
      await mapped.post("/chat/completions", { model: "svc/chat-1", messages: hello });
    wall.asked.length = 0;
    vi.setSystemTime(begun + 20_000);
    const refused = await mapped.post("/chat/completions", { model: "svc/chat-1", messages: hello });
    expect(refused.body.error).toMatchObject({ code: "no_healthy_region" });
    expect(wall.asked).toHaveLength(0);
  });
});

describe("every way in", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  let operator: string;
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    mapped = await startOn(walls, {
      routes: [
        { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
        { models: ["svc/chat-1"], provider: "two", upstream_model: "spare" },
        { models: ["svc/asr-3"], provider: "one", upstream_model: "hears" },
        { models: ["svc/asr-3"], provider: "two", upstream_model: "hears" },
      ],
    });
    operator = await mapped.gateway.createKey(mapped.account.accountId, {
      scopes: ["operator", "inference"],
    });
    for (const [id, kind] of [
      ["own/vectors", "embeddings"],
      ["own/ranks", "rerank"],
    ]) {
      const routes = ["one", "two"].map((provider) => ({ provider, upstream_model: kind }));
      const create = { id, template: { model: `template/${kind}`, api_type: kind }, routes };
      const made = await call(mapped.gateway, operator, "POST", "/operator/models", create);
      expect([made.status, made.body.error]).toEqual([201, undefined]);
    }
  });
  afterAll(() => closeAll(mapped, walls));
  beforeEach(async () => {
    for (const wall of walls) wall.fault = answers();
    // A good answer closes its breaker.
    vi.setSystemTime(Date.now() + 600_000);
    await mapped.post("/chat/completions", { model, messages: hello });
    vi.useRealTimers();
    for (const wall of walls) Object.assign(wall, { asked: [], bodies: [] });
  });

  const model = "svc/chat-1";
  const post = async (path: string, body: object): Promise<unknown> => (await mapped.post(path, body)).body;
  const ended = async (path: string, isOver: (body: Record<string, unknown>) => boolean) => {
    const read = async () => (await call(mapped.gateway, mapped.account.session, "GET", path)).body;
    await expect.poll(async () => isOver(await read())).toBe(true);
    return read();
  };
  const ways: [string, () => Promise<unknown>][] = [
    ["a chat", () => post("/chat/completions", { model, messages: hello })],
    ["a streamed chat", () => post("/chat/completions", { model, messages: hello, stream: true })],
    ["a message", () => post("/messages", { model, max_tokens: 99, messages: hello })],
    ["a streamed message", () => post("/messages", { model, max_tokens: 99, messages: hello, stream: true })],
    ["a response", () => post("/responses", { model, input: "Count." })],
    ["a streamed response", () => post("/responses", { model, input: "Count.", stream: true })],
    [
      "a run of Replicate's clients",
      () => post(`/models/${model}/predictions`, { input: { messages: hello } }),
    ],
    [
      "a streamed response in the background",
      () => post("/responses", { model, input: "Count.", background: true, stream: true }),
    ],
    [
      "a response in the background",
      async () => {
        const { body } = await mapped.post("/responses", { model, input: "Count.", background: true });
        return ended(`/responses/${body.id}`, ({ status: now }) => now !== "queued" && now !== "in_progress");
      },
    ],
    [
      "a row of a batch",
      async () => {
        const { body } = await mapped.post("/batches", { model, rows: [{ messages: hello }] });
        await ended(`/batches/${body.id}`, ({ status: now }) => now === "finished");
        return ended(`/batches/${body.id}/rows`, () => true);
      },
    ],
    [
      "a response over a WebSocket",
      () => {
        const socket = new WebSocket(`${mapped.gateway.url.replace("http", "ws")}/responses`, {
          headers: { authorization: `Bearer ${mapped.account.key}` },
        });
        socket.addEventListener("open", () =>
          socket.send(JSON.stringify({ type: "response.create", model, input: "Count." })),
        );
        return new Promise((resolve) =>
          socket.addEventListener("message", ({ data }) => {
            const event = JSON.parse(String(data));
            if (!["response.completed", "response.failed", "error"].includes(event.type)) return;
            socket.close();
            resolve(event);
          }),
        );
      },
    ],
    [
      "a tool call of an agent",
      async () => {
        const client = new Client({ name: "test", version: "1" });
        const requestInit = { headers: { authorization: `Bearer ${mapped.account.key}` } };
        await client.connect(
          new StreamableHTTPClientTransport(new URL("/mcp", mapped.gateway.url), { requestInit }),
        );
        const run = await client.callTool({ name: "run", arguments: { model, input: { messages: hello } } });
        await client.close();
        return run;
      },
    ],
  ];

  it.each(ways)(
    "fails %s over after failures and after silence, without showing it in the answer",
    async (_, way) => {
      const [one, two] = walls;
      for (const fault of [status(500), silence]) {
        Object.assign(one, { fault, asked: [] });
        expect(JSON.stringify(await way())).toContain(tokens.at(-1)?.trim());
      }
      // The silent upstream was called once; the second upstream answered after both faults.
      expect([one.asked.length, two.asked.length]).toEqual([1, 2]);
    },
  );

  const vectors = { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 1, total_tokens: 1 } };
  const ranks = { results: [{ index: 0, relevance_score: 0.5 }] };
  it.each([
    ["embeddings", "/embeddings", { model: "own/vectors", input: "Count." }, vectors],
    ["a ranking", "/rerank", { model: "own/ranks", query: "Count", documents: ["one"] }, ranks],
  ] as const)("fails %s over after failures", async (_, path, body, answer) => {
    const [one, two] = walls;
    one.fault = status(502);
    two.fault = json(answer);
    expect(await call(mapped.gateway, operator, "POST", path, body)).toMatchObject({ status: 200 });
    expect([one.asked.length, two.asked.length]).toEqual([2, 1]);
  });

  it.each([
    ["a 500", status(500)],
    ["a reset", reset],
  ])("never fails over work that is billed per item, after %s", async (_, fault) => {
    const [one, two] = walls;
    one.fault = fault;
    const answer = await mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
    expect(answer.body.error).toMatchObject({ code: "upstream_error" });
    expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  });

  it("never repeats a request that uses the upstream's tools", async () => {
    const [one, two] = walls;
    one.fault = status(500);
    const tools = [{ type: "web_search_20250305", name: "web_search" }];
    const answer = await mapped.post("/messages", { model, max_tokens: 99, messages: hello, tools });
    expect(answer.status).toBe(502);
    expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  });

  it("records each attempt and the reason for the next one in the request, the log and the metrics; the caller pays once", async () => {
    const [one] = walls;
    one.fault = status(500);
    const tried = counters.handovers.values().find(({ labels }) => labels.reason === "failed")?.value ?? 0;
    const answer = await mapped.post("/chat/completions", { model, messages: hello });
    const id = String(answer.headers.get("x-request-id"));
    const read = async () =>
      (await call(mapped.gateway, mapped.account.session, "GET", `/requests/${id}`)).body;
    const failed = { provider: "one", model, code: "upstream_error", status: 500, reason: "failed" };
    await expect
      .poll(read, { timeout: 10_000 })
      .toMatchObject({ provider: "two", failed_tries: [failed, failed] });
    expect(counters.handovers.values().find(({ labels }) => labels.reason === "failed")?.value).toBe(
      tried + 2,
    );
    const lines = mapped.gateway.logLines.filter(
      (line) => line.includes(id) && line.includes("provider failed"),
    );
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(["failed", "failed"]);
    const { body } = await call(mapped.gateway, mapped.account.session, "GET", "/usage?group_by=model");
    const { quantity, requests } = (
      body.data as { model: string; quantity: number; requests: number }[]
    ).find((row) => row.model === model) ?? { quantity: 0, requests: 0 };
    expect(quantity).toBe(requests * usage.total_tokens);
  });
});

describe("a stream that is continued", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  let operator: string;
  const continued = { continue_streams: true };
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    const media = { upstream_model: "hears", models: ["svc/asr-3"] };
    mapped = await startOn(
      walls,
      {
        routes: [
          { models: ["svc/chat-1"], provider: "one", upstream_model: "main" },
          { models: ["svc/chat-2"], provider: "two", upstream_model: "spare", accepts_prefill: true },
          { provider: "one", ...media },
          { provider: "two", ...media },
        ],
      },
      continued,
    );
    operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    for (const [model, rate] of [
      ["svc/chat-1", "1"],
      ["svc/chat-2", "2"],
    ]) {
      const components = ["input_token", "output_token"].map((kind) => ({ kind, rate, per: 1 }));
      const price = { model, api_type: "chat-completions", components };
      const made = await call(mapped.gateway, operator, "POST", "/operator/prices", price);
      expect([made.status, made.body.error]).toEqual([201, undefined]);
    }
  });
  afterAll(() => closeAll(mapped, walls));
  const heal = () => {
    for (const model of ["svc/chat-1", "svc/chat-2", "svc/asr-3"])
      mapped.gateway.context.catalog.report(model, "us-virginia", "success");
    for (const wall of walls) Object.assign(wall, { fault: answers(), asked: [], bodies: [] });
  };
  beforeEach(heal);

  const ask = async (path: string, more: object) =>
    String((await mapped.post(path, { model: "best", stream: true, ...more })).body.text);

  it("names both models, and counts and bills the usage of both", async () => {
    const [one, two] = walls;
    one.fault = breaksAfter(40, cut);
    const text = await ask("/chat/completions", {
      messages: hello,
      max_tokens: 100,
      stream_options: { include_usage: true },
    });
    expect(outcomeOf({ text }, 0)).toMatchObject({ text: whole, isDone: true, model: "svc/chat-1" });
    expect(two.bodies[0]?.messages.at(-1)).toEqual({
      role: "assistant",
      content: tokens.slice(0, 40).join("").trimEnd(),
    });
    const events = text
      .split("\n\n")
      .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
    const last = events.at(-1);
    const broken = last.usage.total_tokens - usage.total_tokens;
    expect(broken).toBeGreaterThan(0);
    expect(last).toMatchObject({
      svc_continued: ["svc/chat-1", "svc/chat-2"],
      svc_cost: { amount: String(broken + 2 * usage.total_tokens) },
    });
    expect(events.filter((event) => event.svc_continued)).toHaveLength(2);
  });

  it.each<[string, object, boolean]>([
    ["no fallbacks", { allow_fallbacks: false }, false],
    ["no fallbacks beside those named", { allow_fallbacks: false, order: ["one"] }, false],
    ["only the first provider", { only: ["one"] }, false],
    ["all but the next provider", { ignore: ["two"] }, false],
    ["no fallbacks beside both", { allow_fallbacks: false, order: ["one", "two"] }, true],
  ])("obeys the wish: %s", async (_, provider, isContinued) => {
    const [one, two] = walls;
    for (const inHeader of [false, true]) {
      heal();
      one.fault = breaksAfter(40, cut);
      const body = { model: "best", stream: true, messages: hello, ...(!inHeader && { provider }) };
      const headers: Record<string, string> = inHeader ? { "x-svc-provider": JSON.stringify(provider) } : {};
      const answer = await mapped.post("/chat/completions", body, headers);
      expect(outcomeOf(answer.body, 0)).toMatchObject({ isDone: isContinued });
      expect(two.asked).toHaveLength(isContinued ? 1 : 0);
    }
  });

  it("prefills no half of a character that was cut when the stream broke", async () => {
    const [one, two] = walls;
    one.fault = breaksAfter(40, (response) => {
      response.write(chunkOf({ content: "\ud83c" }));
      cut(response);
    });
    const outcome = outcomeOf({ text: await ask("/chat/completions", { messages: hello }) }, 0);
    expect([outcome.text, outcome.isDone]).toEqual([whole, true]);
    expect(two.bodies[0]?.messages.at(-1)?.content).toBe(tokens.slice(0, 40).join("").trimEnd());
  });

  const promptTokens = Math.ceil(JSON.stringify(hello).length / 4);
  /** Sends the opening chunk, then nothing. */
  const staysSilent: Fault = (response, _n, body) => {
    writeHead(response, body);
    response.write(chunkOf({ role: "assistant", content: "" }));
  };
  const saysUsage: Fault = (response, _n, body) => {
    writeHead(response, body);
    response.write(usageEvent);
  };
  const input = promptTokens;
  /**
   * A fault, extra request fields, the cost of the failed attempt, and the number of runs that the account
   * pays for.
   */
  const failedTries: [string, Fault, object, number, number][] = [
    ["a silent try, by its input", staysSilent, { stream: true }, input, 1],
    ["a silent try of a whole answer, by its input", staysSilent, {}, input, 1],
    ["a silent try, by what it said", saysUsage, { stream: true }, usage.total_tokens, 1],
    ["a connection that was lost, by its input", first(reset), { stream: true }, input, 1],
    ["nothing for an answer of 500", first(status(500)), { stream: true }, 0, 1],
    ["nothing where a stream is continued: its account pays", breaksAfter(40, cut), { stream: true }, 0, 2],
  ];
  it.each(failedTries)("records as its operator's cost %s", async (_name, fault, more, cost, runs) => {
    const [one] = walls;
    const ofOperator = async () => {
      const { body } = await call(mapped.gateway, operator, "GET", "/operator/usage?group_by=provider");
      return (
        body.data as { unit: string; requests: number; provider: string; cost: Paid; charge: Paid }[]
      ).filter(({ unit }) => unit === "failed_token");
    };
    const paid = async () => {
      const { body } = await call(mapped.gateway, mapped.account.session, "GET", "/usage?group_by=kind");
      return body as { data: { unit: string }[]; total: { requests: number; cost: Paid } };
    };
    const amountOf = (rows: readonly { cost: Paid }[]) =>
      rows.reduce((sum, row) => sum + Number(row.cost.amount), 0);
    const [before, paidBefore] = [await ofOperator(), await paid()];
    one.fault = fault;
    await mapped.post("/chat/completions", { model: "best", messages: hello, ...more });
    const [after, paidAfter] = [await ofOperator(), await paid()];
    expect(amountOf(after) - amountOf(before)).toBe(cost);
    for (const { requests, charge, provider } of after)
      expect([requests, charge.amount, provider]).toEqual([0, "0", "one"]);
    expect(paidAfter.data.map(({ unit }) => unit)).not.toContain("failed_token");
    expect(paidAfter.total.requests - paidBefore.total.requests).toBe(runs);
  });

  it.each([
    ["a message", "/messages", { max_tokens: 100, messages: hello }],
    ["a response", "/responses", { input: "Count." }],
  ])("looks like one answer in the events of %s", async (_, path, body) => {
    walls[0].fault = breaksAfter(40, cut);
    const text = await ask(path, body);
    const said = [...text.matchAll(/"(?:text|delta)":"(w\d+ )"/g)].map(([, token]) => token);
    expect(said.join("")).toBe(whole);
    expect(text).toContain('"svc_continued":["svc/chat-1","svc/chat-2"]');
  });

  const cutAfter = (delta: object, from: number): Fault =>
    breaksAfter(from, (response) => {
      response.write(chunkOf(delta));
      cut(response);
    });
  const call1 = { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{" } };
  it.each([
    ["JSON mode", { response_format: { type: "json_object" } }, breaksAfter(40, cut)],
    ["an open tool call", {}, cutAfter({ tool_calls: [call1] }, 40)],
    ["open reasoning", {}, cutAfter({ reasoning_content: "Hm" }, 0)],
  ])("ends with the first failure with %s", async (_, more, fault) => {
    const [one, two] = walls;
    one.fault = fault;
    const outcome = outcomeOf({ text: await ask("/chat/completions", { messages: hello, ...more }) }, 0);
    expect(outcome).toMatchObject({ isDone: false, error: { code: "upstream_stream_interrupted" } });
    expect(two.asked).toHaveLength(0);
  });

  /** Sends the bytes of a good answer up to `part`, in pieces; then calls `then`. */
  const brokenAt =
    (part: number, pieces: number, then: (response: ServerResponse) => unknown): Fault =>
    (response, _n, body) => {
      writeHead(response, body);
      const bytes = Buffer.from(goodAnswer(body));
      const end = Math.floor(bytes.length * part);
      const step = Math.ceil(end / pieces);
      for (let at = 0; at < end; at += step) response.write(bytes.subarray(at, Math.min(end, at + step)));
      then(response);
    };
  const endings: Record<string, (response: ServerResponse) => unknown> = {
    cut: (response) => setTimeout(() => response.socket?.destroy(), 5),
    reset: (response) => setTimeout(() => response.socket?.resetAndDestroy(), 5),
    ended: (response) => response.end(),
    silent: () => undefined,
    malformed: (response) => response.end('\n\ndata: {"id": \n\ndata: [DONE]\n\n'),
  };
  const faults = fc.oneof(
    fc.constantFrom(status(500), status(503), status(429), reset, silence, answers()),
    fc
      .tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...Object.keys(endings)),
      )
      .map(([part, pieces, ending]) => brokenAt(part, pieces, endings[ending] ?? cut)),
  );

  it("returns a whole answer or an error, whichever upstream breaks at whichever byte, within the budget of attempts", async () => {
    await fc.assert(
      fc.asyncProperty(faults, faults, fc.boolean(), async (first, second, stream) => {
        heal();
        const [one, two] = walls;
        one.fault = first;
        two.fault = second;
        const { body } = await mapped.post("/chat/completions", { model: "best", messages: hello, stream });
        const outcome = outcomeOf(body, 0);
        if (outcome.isDone) expect([outcome.text, outcome.error]).toEqual([whole, null]);
        else expect(outcome.error).not.toBeNull();
        // No token is sent twice or missing in the middle.
        expect(whole.startsWith(outcome.text)).toBe(true);
        expect(one.asked.length + two.asked.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: 40 },
    );
  });

  it("never fails media over once it may have started, whichever upstream breaks at whichever byte", async () => {
    const begun = fc.oneof(
      fc.constantFrom(status(500), status(502), reset),
      fc.double({ min: 0, max: 0.9, noNaN: true }).map((part) => brokenAt(part, 2, endings.cut ?? cut)),
    );
    await fc.assert(
      fc.asyncProperty(begun, async (fault) => {
        heal();
        for (const wall of walls) wall.fault = fault;
        const answer = await mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
        expect(answer.status).toBeGreaterThanOrEqual(500);
        expect(walls[0].asked.length + walls[1].asked.length).toBe(1);
      }),
      { numRuns: 15 },
    );
  });
});

describe("a route that fails beside a slow one that answers", () => {
  let walls: [Wall, Wall];
  let mapped: MappedGateway;
  const models = ["svc/chat-1", "svc/adult-i2v-2", "svc/asr-3"];
  const endless = { ...shortened, answer: 60_000, idle: 60_000 };
  beforeAll(async () => {
    walls = [await startWall(), await startWall()];
    // All models share the breakers of the two providers.
    const routes = ["one", "two"].map((provider) => ({ models, provider, upstream_model: "main" }));
    mapped = await startOn(walls, { routes, timeouts: endless });
  });
  afterAll(() => closeAll(mapped, walls));
  afterEach(() => void vi.useRealTimers());

  const model = "svc/chat-1";
  const chat = (more: object = {}) => mapped.post("/chat/completions", { model, messages: hello, ...more });
  const statusOf = async (id: string) =>
    (await call(mapped.gateway, mapped.account.key, "GET", `/models/${id}`)).body.gateway_status;
  /** Ten minutes later the first one is asked again, and its good answer closes its breaker. */
  const heal = async () => {
    for (const wall of walls) wall.fault = answers();
    vi.setSystemTime(Date.now() + 600_000);
    expect((await chat()).status).toBe(200);
    vi.useRealTimers();
    for (const wall of walls) Object.assign(wall, { asked: [], bodies: [] });
  };

  const faults: Record<string, Fault> = {
    ...Object.fromEntries([401, 404, 429, 500, 502, 503, 504].map((code) => [code, status(code)])),
    "429 with a time": status(429, { message: "slow down" }, { "retry-after": "1" }),
    "503 with a time": status(503, { message: "later" }, { "retry-after": "1" }),
    "a reset": reset,
    silence,
    "no JSON": (response, _n, body) => {
      writeHead(response, body);
      response.end(body.stream === true ? 'data: {"id\n\n' : '{"id": ');
    },
    "an end before any content": breaksAfter(0, (response) => void response.end()),
  };
  /** Answers only when the test lets it; `content`: after the first token. */
  const slow =
    (held: Promise<void>, content: boolean, hears: () => void): Fault =>
    async (response, n, body) => {
      if (content && body.stream === true) {
        writeHead(response, body);
        response.write(chunkOf({ role: "assistant", content: tokens[0] ?? "" }));
        hears();
        await held;
        say(response, 1, tokens.length);
        response.end(`${chunkOf({}, "stop")}${usageEvent}data: [DONE]\n\n`);
        return;
      }
      hears();
      await held;
      await answers()(response, n, body);
    };

  /** Sends the requests one after the other, each once the one before waits for the slow upstream or is over. */
  async function allAtOnce(
    fault: Fault,
    content: boolean,
    requests: readonly (() => Promise<Awaited<ReturnType<typeof chat>>>)[],
  ) {
    const held = Promise.withResolvers<void>();
    let heard = 0;
    walls[0].fault = fault;
    walls[1].fault = slow(held.promise, content, () => {
      heard += 1;
    });
    const sent: ReturnType<typeof chat>[] = [];
    let over = 0;
    for (const send of requests) {
      sent.push(
        send().finally(() => {
          over += 1;
        }),
      );
      await vi.waitFor(() => expect(heard + over).toBeGreaterThanOrEqual(sent.length));
    }
    const state = await statusOf(model);
    held.resolve();
    return { state, answers: await Promise.all(sent) };
  }

  it("refuses nobody, whichever way the first one fails", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(faults)),
        fc.boolean(),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 9 }),
        async (name, content, streams) => {
          await heal();
          const requests = streams.map((stream) => () => chat({ stream }));
          const { state, answers } = await allAtOnce(faults[name] ?? reset, content, requests);
          expect(answers.map(({ status, body }) => [status, outcomeOf(body, 0).text])).toEqual(
            streams.map(() => [200, whole]),
          );
          expect(state).not.toBe("unavailable");
        },
      ),
      { numRuns: 20, examples: Object.keys(faults).map((name) => [name, false, Array(8).fill(false)]) },
    );
  }, 180_000);

  it.each(["500", "503", "a reset"])("accepts every job while the first one fails by %s", async (name) => {
    const video = { model: "svc/adult-i2v-2", prompt: "waves", image: smallImage, duration: 5 };
    const failed = json({ id: "video_1", object: "video", status: "failed", error: { message: "no" } });
    await heal();
    const held = Promise.withResolvers<void>();
    const jobs: string[] = [];
    let over = 0;
    let heard = 0;
    walls[0].fault = faults[name] ?? reset;
    walls[1].fault = async (response, n, body) => {
      if (response.req.method === "POST") {
        heard += 1;
        await held.promise;
      }
      await failed(response, n, body);
    };
    for (let sent = 1; sent <= 8; sent += 1) {
      const accepted = await mapped.post("/videos", video);
      expect([sent, accepted.status, accepted.body.error ?? null]).toEqual([sent, 202, null]);
      const id = String(accepted.body.id);
      jobs.push(id);
      void mapped.ended(id).then(() => {
        over += 1;
      });
      await vi.waitFor(() => expect(heard + over).toBe(sent));
    }
    expect(await statusOf(video.model)).not.toBe("unavailable");
    held.resolve();
    for (const id of jobs) await mapped.ended(id);
  });

  /** Opens every breaker, then waits until they may be probed. */
  async function failThenWait(send: () => Promise<{ body: Record<string, unknown> }>): Promise<void> {
    await heal();
    for (const wall of walls) wall.fault = status(503);
    await expect.poll(async () => (await send()).body.error).toMatchObject({ code: "no_healthy_region" });
    for (const wall of walls) Object.assign(wall, { asked: [], bodies: [] });
    vi.setSystemTime(Date.now() + 31_000);
  }

  it("is unavailable once both fail, and one that streams again lets everybody in before its stream ends", async () => {
    await failThenWait(chat);
    vi.setSystemTime(Date.now() - 31_000);
    expect(await statusOf(model)).toBe("unavailable");
    vi.setSystemTime(Date.now() + 31_000);
    const streams = Array.from({ length: 8 }, () => () => chat({ stream: true }));
    const { state, answers } = await allAtOnce(status(503), true, streams);
    expect(answers.map(({ body }) => outcomeOf(body, 0).text)).toEqual(streams.map(() => whole));
    expect(state).not.toBe("unavailable");
  });

  it("a request that waits for the one does not keep the next one from trying the other", async () => {
    const speech = () => mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
    await failThenWait(speech);
    walls[0].fault = silence;
    walls[1].fault = json({ text: "Hello", usage: { type: "duration", seconds: 1 } });
    const left = new AbortController();
    const waiting = fetch(`${mapped.gateway.url}/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "svc/asr-3", audio: speechAudio }),
      signal: left.signal,
    }).catch(() => null);
    await vi.waitFor(() => expect(walls[0].asked).toHaveLength(1));
    for (let times = 0; times < 3; times += 1) expect((await speech()).body).toMatchObject({ text: "Hello" });
    left.abort();
    await waiting;
  });
});

/** Starts a gateway with two providers at two fake upstreams; the first one is called first. */
async function startOn(
  walls: readonly [Wall, Wall],
  { routes, timeouts = shortened }: { routes: object[]; timeouts?: typeof shortened },
  alias = {},
  config = {},
) {
  const openai = ({ origin }: Wall) => providerAt({ origin }, { timeouts_ms: timeouts });
  const [one, two] = walls;
  const started = await startMappedGateway(
    { providers: { one: openai(one), two: openai(two) }, routes },
    config,
  );
  const create = { name: "best", models: ["svc/chat-1", "svc/chat-2"], ...alias };
  const { status: made } = await call(started.gateway, started.account.session, "POST", "/aliases", create);
  expect(made).toBe(201);
  return started;
}

async function closeAll(mapped: MappedGateway, walls: readonly Wall[]): Promise<void> {
  await mapped.close();
  await Promise.all(walls.map((wall) => wall.close()));
}

function gradeOf({ advised, rightError }: Scenario, outcome: Outcome, wall: Wall, second: Wall): Grade {
  const isWhole = outcome.text === whole && outcome.isDone && outcome.error === null;
  const isRight = isWhole || (rightError !== undefined && outcome.error?.code === rightError);
  if (isRight) return advised?.(outcome, wall, second) === false ? "partial" : "pass";
  return outcome.error && !outcome.isDone && outcome.ms < 5_000 ? "safe" : "fail";
}

/** The caller's view of a streamed answer, or of an error. */
function outcomeOf(answer: Record<string, unknown>, ms: number): Outcome {
  const outcome: Outcome = { text: "", model: null, error: null, isDone: false, tokens: null, ms };
  if (typeof answer.text !== "string") {
    const choices = answer.choices as { message: { content: string } }[] | undefined;
    return {
      ...outcome,
      text: choices?.[0]?.message.content ?? "",
      model: (answer.model as string) ?? null,
      error: (answer.error as Outcome["error"]) ?? null,
      isDone: choices !== undefined,
    };
  }
  for (const line of answer.text.split("\n\n")) {
    if (line === "data: [DONE]") outcome.isDone = true;
    if (!line.startsWith("data: {")) continue;
    const event = JSON.parse(line.slice(6));
    if (event.error) outcome.error = event.error;
    outcome.model = event.model ?? outcome.model;
    outcome.tokens = event.usage?.total_tokens ?? outcome.tokens;
    outcome.text += event.choices?.[0]?.delta.content ?? "";
  }
  return outcome;
}
