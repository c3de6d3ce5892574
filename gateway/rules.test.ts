import { readdirSync, readFileSync } from "node:fs";
import { request as send } from "node:http";
import path from "node:path";
import { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ApiKeyCreate } from "#contract/accounts/keys.ts";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import { errorCatalogue } from "#contract/error.ts";
import type { GuardQuestion } from "#contract/guards.ts";
import type { Route } from "#contract/routes/route.ts";
import { sections } from "#contract/routes/table.ts";
import { announce, png, put, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import {
  keyIn,
  providerAt,
  testKeys,
  writeProvidersFile,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "#gateway/models/providers/testing/upstream-server.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { openTelemetry } from "#gateway/platform/telemetry/open.ts";
import { callTool, connect, refreshWith } from "#gateway/testing/agent.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { type Collector, startCollector } from "#gateway/testing/collector.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";
import { exchange, serveIssuers, signToken, type TestIssuers, times } from "#gateway/testing/workload.ts";

/*
 * Every entrance that runs a model keeps every rule. The table at the end says for each pair whether it does,
 * or why the rule has no meaning there; `rules` defines once what keeping a rule means, and each entrance is
 * tested the way its callers use it.
 */

const entrances = [
  "sync operation",
  "stream",
  "multipart body",
  "prediction",
  "generic route",
  "route by version",
  "response",
  "response in the background",
  "compaction",
  "WebSocket",
  "message",
  "row of a batch",
  "row of a comparison",
  "line of OpenAI's batch",
  "run of an agent",
  "count of a response's tokens",
  "count of a message's tokens",
] as const;
type Entrance = (typeof entrances)[number];

type Fields = Record<string, unknown>;
type Kind = "chat" | "picture" | "edit";

/** A request to an entrance, with its credential. */
interface Asked {
  bearer: string;
  model: string;
  /** Further fields of the run. */
  more?: Fields;
  /** The address of a picture in the prompt. */
  picture?: string;
  headers?: Record<string, string>;
  /** Disconnects the caller. */
  leaving?: AbortSignal;
}

/** The outcome that the caller notices. */
interface Outcome {
  /** The error's code; null if the request succeeded. */
  code: string | null;
  id?: string;
  /** The parameters that were left out. */
  ignored?: string;
  /** What the headers of an error say about a retry. */
  retry?: string;
}

interface Way {
  kind: Kind;
  /** Routes of the table, and further ways that lead to the same code. */
  routes: readonly string[];
  run(asked: Asked): Promise<Outcome>;
}

let gateway: TestGateway;
let upstream: UpstreamServer;
/** The statuses with which the upstream refuses its next calls. */
const refusals: number[] = [];
let collector: Collector;
/** Where the workloads' own tokens come from. */
let web: Receiver;
let issuers: TestIssuers;
let owner: TestAccount;
/** Words of a caller, and of a model, that only contents may keep. */
const planted = { asked: "plumbago-heron-7731", answered: "quartz-osprey-4402" };
/** The same where a guard blocks what the model said, so that nothing may keep it. */
const blocked = { asked: "cinnabar-lynx-5518", answered: "saffron-kestrel-9043" };
const metricsToken = "only-for-the-operator";

const plain: Record<Kind, string> = { chat: "svc/chat-1", picture: "acme/picture", edit: "acme/edit" };
/** Each chat answer costs 0.07; the two other models have no price. */
const paid: Record<Kind, string> = { chat: "svc/chat-1", picture: "svc/img-gen-b", edit: "acme/edit" };
/** Models whose upstream a test can keep silent. */
const slow = { chat: "svc/chat-1", edit: "svc/img-gen-a-1" };
const gates = {
  adult: "adult_attestation_required",
  portrait: "portrait_rights_attestation_required",
  rights: "per_request_person_rights_confirmation_required",
} as const;
/** A chat model that accepts pictures. */
const seeing = "acme/seeing";
const gated = (kind: Kind, gate: keyof typeof gates) => `acme/${kind}-${gate}`;

beforeAll(async () => {
  Object.assign(process.env, testKeys);
  collector = await startCollector();
  const usage = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };
  upstream = await startUpstream((seen, response) => {
    const message = {
      role: "assistant",
      content: [planted, blocked].find(({ asked }) => seen.body.includes(asked))?.answered ?? "Hi",
    };
    const refused = refusals.shift();
    if (refused !== undefined) return sendJson(response, { error: { message: "no" } }, refused);
    if (seen.json().stream !== true)
      return sendJson(response, { choices: [{ index: 0, finish_reason: "stop", message }], usage });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunks = [
      { choices: [{ index: 0, finish_reason: null, delta: message }] },
      { choices: [{ index: 0, finish_reason: "stop", delta: {} }] },
      { choices: [], usage },
    ];
    response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
  });
  const providersFile = writeProvidersFile({
    providers: {
      acme: providerAt(upstream, { credentials: keyIn("us-virginia", "sg-singapore") }),
    },
    routes: [{ models: Object.values(slow), provider: "acme", upstream_model: "m" }],
  });
  const telemetry = openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  gateway = await startTestGateway({ providersFile, metricsToken }, telemetry);
  const authority = await makeAuthority(newFolder("rules"));
  web = await startReceiver(authority.local);
  issuers = serveIssuers(web);
  const reach = { allowCidrs: ["127.0.0.0/8"], ports: [443, web.port], caFile: authority.caFile };
  Object.assign(gateway.context.config.webhooks, reach);
  owner = await gateway.createAccount();
  const templates = { chat: "svc/chat-1", picture: "svc/img-gen-b", edit: "svc/img-gen-a-1" };
  const kinds = { chat: "chat-completions", picture: "image-generation", edit: "image-editing" };
  const add = async (kind: Kind, id: string, more: object) => {
    const template = { model: templates[kind], api_type: kinds[kind] };
    const body = { id, template, ...more };
    expect(await post(owner.session, "/operator/models", body)).toMatchObject({ status: 201 });
  };
  for (const kind of ["picture", "edit"] as const) await add(kind, plain[kind], {});
  await add("chat", seeing, { input_modalities: ["text", "image"] });
  for (const kind of ["chat", "picture", "edit"] as const)
    for (const [gate, requirement] of Object.entries(gates))
      await add(kind, gated(kind, gate as keyof typeof gates), {
        safety_requirements: {
          [requirement === gates.rights
            ? requirement
            : `${gate === "adult" ? "adult" : "portrait_rights"}_attestation_required`]: true,
        },
      });
  const components = [
    { kind: "input_token", per: 1_000, rate: "1" },
    { kind: "output_token", per: 1_000, rate: "1" },
  ];
  const price = { model: "svc/chat-1", api_type: "chat-completions", currency: "USD", components };
  expect(await post(owner.session, "/operator/prices", price)).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await collector.close();
  await web.close();
});

const post = (bearer: string, to: string, body: unknown, headers = {}, leaving?: AbortSignal) =>
  call(gateway, bearer, "POST", to, body, headers, leaving);
const get = async (bearer: string, to: string) => (await call(gateway, bearer, "GET", to)).body;

/** Suspends the account, and waits until this process has heard of it. */
async function suspend({ accountId }: TestAccount, key: string): Promise<void> {
  const to = `/operator/accounts/${accountId}/suspension`;
  expect(await post(owner.session, to, { reason: "Abuse" })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await call(gateway, key, "GET", "/account")).status).toBe(403);
}

/** Sets the networks of the account, and waits until this process refuses the caller. */
async function allowOnly({ session }: TestAccount, caller: string, networks: Fields): Promise<void> {
  const set = await call(gateway, session, "PATCH", "/account/networks", networks);
  expect(set).toMatchObject({ status: 200 });
  await expect.poll(async () => (await call(gateway, caller, "GET", "/account")).status).toBe(403);
}

/** A new key with these limits. */
async function keyOf(account: { session: string }, limits: Partial<ApiKeyCreate> = {}) {
  const { status, body } = await post(account.session, "/keys", {
    ...{ name: "caller", kind: "personal", models: everyModel },
    ...limits,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: String(body.id), secret: String(body.secret) };
}
/** A service key, and a short key that a workload got by a rule which acts as it. */
async function serviceKeyOf({ accountId, session }: TestAccount, limits: Partial<ApiKeyCreate> = {}) {
  const { id } = await keyOf({ session }, { ...limits, kind: "service" });
  const rule = { name: "CI", issuer: issuers.issuer(id), claims: { sub: "job" }, acts_as: id };
  const { status, body } = await post(session, "/key_rules", {
    ...{ ...rule, models: everyModel, scopes: ["inference", "predictions", "uploads"] },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const claims = { iss: rule.issuer, aud: body.audience, sub: "job", ...times() };
  const [signing] = issuers.keys;
  const exchanged = signing && (await exchange(gateway, accountId, signToken(signing, claims)));
  expect(exchanged).toMatchObject({ status: 200 });
  return { id, secret: exchanged?.body.access_token ?? "" };
}
/** A key of a new account for which an operator set these limits, or the plan. */
async function keyOfLimited(limits: Partial<AccountLimits> | { plan: string }) {
  const account = await gateway.createAccount();
  const path = `/operator/accounts/${account.accountId}/limits`;
  const body = { ...limits, reason: "a test" };
  expect(await call(gateway, owner.session, "PATCH", path, body)).toMatchObject({ status: 200 });
  return { account, ...(await keyOf(account)) };
}
const plans = new Map<string, Promise<string>>();
/** The plan with these limits, which all accounts share that are to have it. */
function planOf(name: string, limits: Partial<AccountLimits>): Promise<string> {
  const known = plans.get(name) ?? post(owner.session, "/operator/plans", { name, ...limits }).then(madeId);
  plans.set(name, known);
  return known;
}
function madeId({ status, body }: Answered): string {
  expect(status).toBe(201);
  return String(body.id);
}
/** An agent runs a gated model only with a key that names it. */
const everyModel = [
  seeing,
  slow.edit,
  ...(["chat", "picture", "edit"] as const).flatMap((kind) => [
    ...new Set([plain[kind], paid[kind]]),
    ...(["adult", "portrait", "rights"] as const).map((gate) => gated(kind, gate)),
  ]),
];

type Answered = Awaited<ReturnType<typeof call>>;

function outcome({ status, body, headers }: Pick<Answered, "status" | "body" | "headers">): Outcome {
  const ignored = headers.get("x-svc-ignored-params");
  return {
    code: status < 400 ? null : codeIn(body),
    ...(typeof body.id === "string" && { id: body.id }),
    ...(ignored !== null && { ignored }),
    ...(status >= 400 && { retry: retryIn(headers) }),
  };
}

function retryIn(headers: Headers): string {
  const [after, should] = [headers.has("retry-after"), headers.get("x-should-retry")];
  if (after) return should === null ? "after a while" : `after a while, and ${should}`;
  return should === "false" ? "never" : "not said";
}

/** The error's message; for a batch, that of its first row. */
function codeIn({ error }: Fields): string {
  const { code, details } = error as { code: string; details?: { keyword: string }[] };
  const keyword = details?.[0]?.keyword ?? "";
  return Object.hasOwn(errorCatalogue, keyword) ? keyword : code;
}

const messagesOf = (
  { picture }: Asked,
  part = (url: string): object => ({ type: "image_url", image_url: { url } }),
) => [
  {
    role: "user",
    content: picture === undefined ? "Hello" : [{ type: "text", text: "Hello" }, part(picture)],
  },
];
const chatOf = (asked: Asked) => ({ messages: messagesOf(asked), max_tokens: 10, ...asked.more });
const pictureOf = ({ more }: Asked) => ({
  ...{ prompt: "A pine", quality: "low", size: "1024x1024", output_format: "png" },
  ...more,
});
const itemsOf = ({ picture }: Asked) => [
  {
    role: "user",
    content: [
      { type: "input_text", text: "Hello" },
      ...(picture === undefined ? [] : [{ type: "input_image", image_url: picture }]),
    ],
  },
];
const messageOf = (asked: Asked) => ({
  model: asked.model,
  messages: messagesOf(asked, (url) => ({ type: "image", source: { type: "url", url } })),
  ...asked.more,
});

async function stream({ bearer, headers, leaving, ...asked }: Asked): Promise<Outcome> {
  const response = await fetch(`${gateway.url}/chat/completions`, {
    method: "POST",
    signal: leaving ?? null,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...chatOf({ bearer, ...asked }), model: asked.model, stream: true }),
  });
  const text = await response.text();
  const first = text.startsWith("data: ") ? (text.split("\n")[0] ?? "").slice("data: ".length) : text;
  const body = JSON.parse(first) as Fields;
  if (body.error && response.status < 400) return { code: codeIn(body) };
  return outcome({ status: response.status, headers: response.headers, body });
}

async function multipart({ bearer, model, more, picture, headers, leaving }: Asked): Promise<Outcome> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, prompt: "A pine", ...more }))
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  form.set("image", picture ?? new Blob([new Uint8Array(png)], { type: "image/png" }));
  const response = await fetch(`${gateway.url}/images/edits`, {
    method: "POST",
    signal: leaving ?? null,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    body: form,
  });
  const { status } = response;
  return outcome({ status, headers: response.headers, body: (await response.json()) as Fields });
}

async function inBackground({ bearer, model, headers, ...asked }: Asked): Promise<Outcome> {
  const body = {
    model,
    input: itemsOf({ bearer, model, ...asked }),
    max_output_tokens: 10,
    background: true,
  };
  const queued = await post(bearer, "/responses", { ...body, ...asked.more }, headers);
  const { code, ...more } = outcome(queued);
  if (code !== null) return { code, ...more };
  const read = () => get(bearer, `/responses/${more.id}`);
  await expect.poll(async () => (await read()).status).toMatch(/completed|failed|incomplete/);
  const { error } = await read();
  return { ...more, code: error === null ? null : codeIn({ error }) };
}

/** The answer to one message of a connection. */
async function overSocket({ bearer, model, more, headers, leaving, ...asked }: Asked): Promise<Outcome> {
  const address = `${gateway.url.replace("http", "ws")}/responses`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${bearer}`, ...headers } });
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  socket.onopen = () => {
    const input = itemsOf({ bearer, model, ...asked });
    socket.send(JSON.stringify({ type: "response.create", model, input, max_output_tokens: 10, ...more }));
  };
  socket.onmessage = ({ data }) => {
    const { type, error, response } = JSON.parse(String(data)) as Fields;
    if (type === "error") resolve({ code: codeIn({ error }) });
    if (type === "response.failed") resolve({ code: codeIn(response as Fields) });
    if (type === "response.completed") resolve({ code: null, id: String((response as Fields).id) });
  };
  leaving?.addEventListener("abort", () => {
    socket.close();
    resolve({ code: "left" });
  });
  const tooBig = 1009;
  socket.onclose = ({ code }) => {
    if (code === tooBig) resolve({ code: "request_too_large" });
    else void upgradeRefused(bearer).then(resolve);
  };
  return promise.finally(() => socket.close());
}

/** The error that refuses a connection, which a WebSocket client cannot see. */
function upgradeRefused(bearer: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const headers = {
    ...upgrade,
    "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    authorization: `Bearer ${bearer}`,
  };
  const asking = send(`${gateway.url}/responses`, { headers }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    resolve({ code: codeIn(JSON.parse(Buffer.concat(chunks).toString())) });
  });
  asking.on("error", () => resolve({ code: "closed" }));
  asking.end();
  return promise;
}

async function batch(kind: "table" | "comparison", asked: Asked): Promise<Outcome> {
  const { bearer, model, headers } = asked;
  const row = kind === "comparison" ? { ...chatOf(asked), model } : chatOf(asked);
  const body = { model, api_type: "chat-completions", kind, rows: [row] };
  const made = outcome(await post(bearer, "/batches", body, headers));
  const { code, id = "" } = made;
  if (code !== null) return made;
  const read = () => get(bearer, `/batches/${id}`);
  await expect.poll(async () => (await read()).status).toMatch(/finished|paused|stopped/);
  const { reason, ignored } = await read();
  const { data } = await get(bearer, `/batches/${id}/rows`);
  const [ran] = data as { error: Fields | null }[];
  const error = reason ?? ran?.error ?? null;
  return { id, code: error === null ? null : codeIn({ error }), ignored: String(ignored) };
}

/** The files that were sent, so that a repeated request names the same file. */
const sentFiles = new Map<string, string>();

/** A batch of one line in OpenAI's shape; if its line is refused, the error file has the reason. */
async function openAiBatch({ bearer, headers, ...asked }: Asked): Promise<Outcome> {
  const url = "/v1/chat/completions";
  const body = { ...chatOf({ bearer, ...asked }), model: asked.model };
  const content = JSON.stringify({ custom_id: "one", method: "POST", url, body });
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new Blob([content]), "lines.jsonl");
  const known = sentFiles.get(bearer + content);
  const sent = known === undefined ? await sendFile(bearer, form) : { code: null, id: known };
  if (sent.code !== null || sent.id === undefined) return sent;
  sentFiles.set(bearer + content, sent.id);
  const batch = { input_file_id: sent.id, endpoint: url, completion_window: "24h" };
  const { code, id = "" } = outcome(await post(bearer, "/batches", batch, headers));
  if (code !== null) return { code };
  const read = () => get(bearer, `/batches/${id}?shape=gatehouse`);
  await expect.poll(async () => (await read()).status).toMatch(/finished|paused|stopped/);
  const { reason, ignored } = await read();
  const { data } = await get(bearer, `/batches/${id}/rows`);
  const [ran] = data as { error: Fields | null }[];
  const error = reason ?? ran?.error ?? null;
  return { id, code: error === null ? null : codeIn({ error }), ignored: String(ignored) };
}

async function sendFile(bearer: string, form: FormData): Promise<Outcome> {
  const headers = { authorization: `Bearer ${bearer}` };
  const response = await fetch(`${gateway.url}/files`, { method: "POST", headers, body: form });
  return outcome({
    ...{ status: response.status, headers: response.headers },
    body: (await response.json()) as Fields,
  });
}

async function byAgent({
  headers: { "idempotency-key": once, ...headers } = {},
  leaving,
  ...asked
}: Asked): Promise<Outcome> {
  const { bearer, model } = asked;
  const args = { model, input: chatOf(asked), ...(once !== undefined && { idempotency_key: once }) };
  const { status, text } = await callTool(gateway, bearer, "run", args, headers, leaving);
  const answer = JSON.parse(
    text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "{}"),
  ) as Fields;
  if (status >= 400) return { code: codeIn(answer) };
  const { isError, content, structuredContent } = answer.result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: { id: string; ignored_params?: string[] };
  };
  if (isError) return { code: content[0]?.text.split(":")[0] ?? "" };
  return { code: null, id: structuredContent?.id ?? "", ignored: String(structuredContent?.ignored_params) };
}

const simply =
  (to: string | ((asked: Asked) => string), bodyOf: (asked: Asked) => object) =>
  async (asked: Asked): Promise<Outcome> => {
    const { bearer, headers, leaving } = asked;
    return outcome(
      await post(bearer, typeof to === "string" ? to : to(asked), bodyOf(asked), headers, leaving),
    );
  };
const responseOf = (asked: Asked) => ({ model: asked.model, input: itemsOf(asked), ...asked.more });

const ways: Record<Entrance, Way> = {
  "sync operation": {
    kind: "chat",
    routes: [
      ...["POST /chat/completions", "POST /audio/speech", "POST /embeddings", "POST /rerank"],
      ...["POST /images/generations"],
    ],
    run: simply("/chat/completions", (asked) => ({ ...chatOf(asked), model: asked.model })),
  },
  stream: { kind: "chat", routes: ["POST /chat/completions"], run: stream },
  "multipart body": {
    kind: "edit",
    routes: [
      ...["POST /audio/transcriptions", "POST /audio/voices", "POST /images/edits", "POST /videos"],
      ...["POST /videos/generations"],
    ],
    run: multipart,
  },
  prediction: {
    kind: "picture",
    routes: ["POST /images/generations"],
    run: simply("/images/generations", (asked) => ({ ...pictureOf(asked), model: asked.model })),
  },
  "generic route": {
    kind: "chat",
    routes: ["POST /models/{namespace}/{name}/predictions"],
    run: simply(
      ({ model }) => `/models/${model}/predictions`,
      (asked) => ({ input: chatOf(asked) }),
    ),
  },
  "route by version": {
    kind: "picture",
    routes: ["POST /predictions"],
    run: simply("/predictions", (asked) => ({ version: asked.model, input: pictureOf(asked) })),
  },
  response: {
    kind: "chat",
    routes: ["POST /responses"],
    run: simply("/responses", (asked) => ({ ...responseOf(asked), max_output_tokens: 10 })),
  },
  "response in the background": { kind: "chat", routes: ["POST /responses"], run: inBackground },
  compaction: {
    kind: "chat",
    routes: ["POST /responses/compact"],
    run: simply("/responses/compact", (asked) => ({ ...responseOf(asked), max_output_tokens: 10 })),
  },
  WebSocket: { kind: "chat", routes: ["GET /responses"], run: overSocket },
  message: {
    kind: "chat",
    routes: ["POST /messages"],
    run: simply("/messages", (asked) => ({ ...messageOf(asked), max_tokens: 10 })),
  },
  "row of a batch": {
    kind: "chat",
    routes: ["POST /batches", "POST /batches/{id}/resume", "POST /batches/{id}/retry_failed"],
    run: (asked) => batch("table", asked),
  },
  "row of a comparison": {
    kind: "chat",
    routes: ["POST /batches"],
    run: (asked) => batch("comparison", asked),
  },
  "line of OpenAI's batch": { kind: "chat", routes: ["POST /batches"], run: openAiBatch },
  "run of an agent": { kind: "chat", routes: ["POST /mcp"], run: byAgent },
  "count of a response's tokens": {
    kind: "chat",
    routes: ["POST /responses/input_tokens"],
    run: simply("/responses/input_tokens", responseOf),
  },
  "count of a message's tokens": {
    kind: "chat",
    routes: ["POST /messages/count_tokens"],
    run: simply("/messages/count_tokens", messageOf),
  },
};

/**
 * The request to an entrance, with a key of a new account without attestations unless a rule sets another
 * caller.
 */
interface Scene {
  name: Entrance;
  way: Way;
  account: TestAccount;
  ask(asked?: Partial<Asked> & { limits?: Partial<ApiKeyCreate> }): Promise<Outcome>;
}

async function sceneOf(name: Entrance): Promise<Scene> {
  const account = await gateway.createAccount();
  const way = ways[name];
  return {
    ...{ name, way, account },
    async ask({ limits, bearer, ...asked } = {}) {
      const by = bearer ?? (await keyOf(account, limits)).secret;
      return way.run({ model: plain[way.kind], ...asked, bearer: by });
    },
  };
}

const minuteMs = 60_000;
/** The records of a run that was not refused, the only one of its account. */
interface Left {
  session: string;
  keyId: string;
  traceId: string;
}
const left = new Map<Entrance, Promise<Left>>();

/** Cached, because several rules check these records. */
function ranOnce({ name, way }: Scene): Promise<Left> {
  const begun = left.get(name) ?? run();
  left.set(name, begun);
  return begun;

  async function run() {
    const account = await gateway.createAccount();
    await call(gateway, account.session, "PATCH", "/account", { usage_keys: ["customer"] });
    const soft = { amount: "0.01", period: "total", hard: false } as const;
    const key = await keyOf(account, { budgets: [soft] });
    const traceId = (entrances.indexOf(name) + 1).toString(16).padStart(32, "0af7");
    const inRow = name.startsWith("row") || name.startsWith("line");
    const metadata = { customer: "acme" };
    const answer = await way.run({
      bearer: key.secret,
      model: plain[way.kind],
      headers: {
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
        ...(!inRow && { "x-svc-metadata": JSON.stringify(metadata) }),
      },
      ...(inRow && { more: { metadata } }),
    });
    expect(answer.code).toBeNull();
    return { session: account.session, keyId: key.id, traceId };
  }
}

/** The answer to a request that declares this many bytes and sends none. */
function announced(route: string, bearer: string): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const [method = "", to = ""] = route.replace("{namespace}/{name}", plain.chat).split(" ");
  const headers = {
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json",
    "content-length": 2e9,
  };
  const url = to === "/mcp" ? gateway.url.replace(/\/v1$/, to) : gateway.url + to;
  const asking = send(url, { method, headers }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    resolve({ code: codeIn(JSON.parse(Buffer.concat(chunks).toString())) });
    asking.destroy();
  });
  asking.on("error", reject);
  asking.flushHeaders();
  return promise;
}

/** A row waits until its tokens fit. */
const waitsForTokens = (name: Entrance) => /^(row|line)/.test(name);
const deep = () => JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`) as unknown;
const code = (expected: string | null) => expect.objectContaining({ code: expected });

const rules = {
  async "size of a body"({ name, way, account, ask }: Scene) {
    const { secret } = await keyOf(account);
    const answer =
      name === "WebSocket"
        ? await ask({ more: { instructions: "x".repeat(4_100_000) } })
        : await announced(way.routes[0] ?? "", secret);
    expect(answer).toEqual(code("request_too_large"));
  },
  async "values of a body"({ ask }: Scene) {
    const answer = await ask({ more: { extra: Array(250_001).fill(0) } });
    expect(answer).toEqual(code("request_too_large"));
  },
  async "names of a body"({ ask }: Scene) {
    const extra = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`name_${at}`, 0]));
    expect(await ask({ more: { extra } })).toEqual(code("request_too_large"));
  },
  async "new names of a body"({ ask }: Scene) {
    const extra = Array.from({ length: 31 }, (_, part) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`name_${part}_${at}`, 0])),
    );
    expect(await ask({ more: { extra } })).toEqual(code("request_too_large"));
  },
  async "depth of a body"({ ask }: Scene) {
    expect(await ask({ more: { extra: deep() } })).toEqual(code("invalid_parameter"));
  },
  async rate({ account, ask }: Scene) {
    const { id, secret } = await keyOf(account, { requests_per_minute: 1 });
    await gateway.context.limiter.take(id, { name: "operations", count: 1, periodMs: minuteMs });
    expect(await ask({ bearer: secret })).toEqual(code("rate_limit_exceeded"));
    const limited = await keyOfLimited({ requests_per_minute: 1 });
    const ofAccount = { name: "operations of the account", count: 1, periodMs: minuteMs };
    await gateway.context.limiter.take(limited.account.accountId, ofAccount);
    expect(await ask({ bearer: limited.secret })).toEqual(code("rate_limit_exceeded"));
  },
  async "tokens per minute"({ name, account, ask }: Scene) {
    expect(await ask({ limits: { tokens_per_minute: 5 } })).toEqual(code("request_over_token_limit"));
    const limited = await keyOfLimited({ tokens_per_minute: 5 });
    expect(await ask({ bearer: limited.secret })).toEqual(code("request_over_token_limit"));
    const perMinute = 200;
    const { id, secret } = await keyOf(account, { tokens_per_minute: perMinute });
    const limit = { name: "tokens", count: perMinute, periodMs: minuteMs };
    const { limiter } = gateway.context;
    expect(await ask({ bearer: secret })).toEqual(code(null));
    // The upstream reports 70 tokens, more than the prompt and `max_tokens`.
    await expect.poll(async () => (await limiter.take(id, limit, 1)).remaining).toBeLessThan(140);
    limiter.charge(id, limit, perMinute);
    if (waitsForTokens(name)) return;
    expect(await ask({ bearer: secret })).toEqual(code("rate_limit_exceeded"));
  },
  async concurrency({ account, ask }: Scene) {
    const { id, secret } = await keyOf(account, { max_concurrency: 1 });
    const leave = await gateway.context.limiter.occupy(id, 1);
    expect(await ask({ bearer: secret })).toEqual(code("concurrency_limit_exceeded"));
    leave?.();
    const limited = await keyOfLimited({ max_concurrency: 1 });
    const leaveAccount = await gateway.context.limiter.occupy(limited.account.accountId, 1);
    expect(await ask({ bearer: limited.secret })).toEqual(code("concurrency_limit_exceeded"));
    leaveAccount?.();
    expect(await ask({ bearer: limited.secret })).toEqual(code(null));
  },
  async "a caller that leaves"({ way, account, ask }: Scene) {
    const { id, secret } = await keyOf(account, { max_concurrency: 1 });
    const before = upstream.seen.length;
    upstream.trouble(/./, "silence");
    const leaving = new AbortController();
    const model = slow[way.kind === "edit" ? "edit" : "chat"];
    const answer = ask({ bearer: secret, model, leaving: leaving.signal }).catch(() => null);
    await expect.poll(() => upstream.seen.length).toBe(before + 1);
    leaving.abort();
    await upstream.at(before).gone;
    const leave = await gateway.context.limiter.occupy(id, 1);
    expect(leave).not.toBeNull();
    leave?.();
    await answer;
    expect(upstream.seen).toHaveLength(before + 1);
  },
  async "guard of its installation"({ name, way, account }: Scene) {
    const { id, secret } = await keyOf(account);
    const guard = { asked: 0, verdict: { action: "block" }, answers: Promise.resolve() };
    const program = await startUpstream(async (_, response) => {
      guard.asked += 1;
      await guard.answers;
      sendJson(response, guard.verdict);
    });
    const settings = { url: program.origin, allow_private: true, keys: [id] };
    expect(await post(owner.session, "/operator/guard", settings)).toMatchObject({ status: 201 });
    try {
      const run = (leaving?: AbortSignal) =>
        way.run({ bearer: secret, model: plain[way.kind], ...(leaving && { leaving }) });
      const before = upstream.seen.length;
      expect(await run()).toMatchObject({ code: "content_blocked" });
      guard.verdict = { action: "allow" };
      if (table[name]["a caller that leaves"] === true) {
        const held = Promise.withResolvers<void>();
        guard.answers = held.promise;
        const leaving = new AbortController();
        const left = run(leaving.signal).catch(() => null);
        await expect.poll(() => guard.asked).toBe(2);
        leaving.abort();
        await left;
        await expect.poll(() => program.at(1).gone.then(() => true)).toBe(true);
        held.resolve();
        guard.asked -= 1;
      }
      expect(upstream.seen).toHaveLength(before);
      expect(await run()).toMatchObject({ code: null });
      expect(guard.asked).toBe(2);
    } finally {
      await call(gateway, owner.session, "DELETE", "/operator/guard");
      await program.close();
    }
  },
  async "guard of its installation, after the run"({ way, account }: Scene) {
    const { id, secret } = await keyOf(account);
    const guard: { asked: GuardQuestion[]; verdict: object } = { asked: [], verdict: { action: "block" } };
    const program = await startUpstream((seen, response) => {
      guard.asked.push(seen.json() as unknown as GuardQuestion);
      sendJson(response, guard.verdict);
    });
    const when = { stages: ["output"], streams: "hold" };
    const settings = { url: program.origin, allow_private: true, keys: [id], ...when };
    expect(await post(owner.session, "/operator/guard", settings)).toMatchObject({ status: 201 });
    try {
      const run = async () => {
        const { code, id: runId = "" } = await way.run({ bearer: secret, model: plain[way.kind] });
        if (!runId.startsWith("pred_")) return code;
        const read = () => get(account.session, `/predictions/${runId}`);
        await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed/);
        const { error } = await read();
        return error === null ? null : codeIn({ error });
      };
      expect(await run()).toBe("content_blocked");
      guard.verdict = { action: "allow" };
      expect(await run()).toBeNull();
      const seen = guard.asked.map(({ stage, output, files }) => [stage, output?.text ?? files.length]);
      const made = way.kind === "chat" ? "Hi" : 1;
      expect(seen).toEqual([
        ["output", made],
        ["output", made],
      ]);
    } finally {
      await call(gateway, owner.session, "DELETE", "/operator/guard");
      await program.close();
    }
  },
  async permission({ ask }: Scene) {
    expect(await ask({ limits: { scopes: ["predictions"] } })).toEqual(code("insufficient_scope"));
  },
  async "suspension of its account"({ way }: Scene) {
    const account = await gateway.createAccount();
    const { secret } = await keyOf(account);
    await suspend(account, secret);
    expect(await way.run({ bearer: secret, model: plain[way.kind] })).toEqual(code("account_suspended"));
  },
  async "networks of a key and its account"({ account, ask }: Scene) {
    const networks = ["203.0.113.0/24"];
    expect(await ask({ limits: { networks } })).toEqual(code("network_not_allowed"));
    const other = await gateway.createAccount();
    const { secret } = await keyOf(other);
    await allowOnly(other, secret, { keys: networks });
    expect(await ask({ bearer: secret })).toEqual(code("network_not_allowed"));
    const inside = await keyOf(account, { networks: ["127.0.0.1", "::1"] });
    expect(await ask({ bearer: inside.secret })).toEqual(expect.objectContaining({ code: null }));
  },
  async "models of a key and its account"({ ask }: Scene) {
    expect(await ask({ limits: { models: ["svc/chat-2"] } })).toEqual(code("model_not_allowed"));
    const { secret } = await keyOfLimited({ models: ["svc/chat-2"] });
    expect(await ask({ bearer: secret })).toEqual(code("model_not_allowed"));
  },
  async "regions of a key and its account"({ ask }: Scene) {
    expect(await ask({ limits: { regions: ["cn-hong-kong"] } })).toEqual(code("region_not_allowed"));
    const { secret } = await keyOfLimited({ regions: ["cn-hong-kong"] });
    expect(await ask({ bearer: secret })).toEqual(code("region_not_allowed"));
  },
  async "limits of its account's plan"({ name, ask }: Scene) {
    const { limiter } = gateway.context;
    const ofAccount = { name: "operations of the account", count: 1, periodMs: minuteMs };
    for (const [rule, limits, expected, use] of [
      ["models of a key and its account", { models: ["svc/chat-2"] }, "model_not_allowed"],
      ["regions of a key and its account", { regions: ["cn-hong-kong"] }, "region_not_allowed"],
      ["tokens per minute", { tokens_per_minute: 5 }, "request_over_token_limit"],
      [
        ...(["rate", { requests_per_minute: 1 }, "rate_limit_exceeded"] as const),
        (accountId: string) => limiter.take(accountId, ofAccount),
      ],
      [
        ...(["concurrency", { max_concurrency: 1 }, "concurrency_limit_exceeded"] as const),
        (accountId: string) => limiter.occupy(accountId, 1),
      ],
    ] as [Rule, Partial<AccountLimits>, string, ((accountId: string) => Promise<unknown>)?][]) {
      if (table[name][rule] !== true) continue;
      const { account, secret } = await keyOfLimited({ plan: await planOf(rule, limits) });
      await use?.(account.accountId);
      expect(await ask({ bearer: secret }), rule).toEqual(code(expected));
    }
  },
  async "limits of the service key as which it acts"({ name, account, ask }: Scene) {
    const { limiter } = gateway.context;
    for (const [rule, limits, expected, use] of [
      ["tokens per minute", { tokens_per_minute: 5 }, "request_over_token_limit"],
      [
        ...(["rate", { requests_per_minute: 1 }, "rate_limit_exceeded"] as const),
        (id: string) => limiter.take(id, { name: "operations", count: 1, periodMs: minuteMs }),
      ],
      [
        ...(["concurrency", { max_concurrency: 1 }, "concurrency_limit_exceeded"] as const),
        (id: string) => limiter.occupy(id, 1),
      ],
    ] as [Rule, Partial<ApiKeyCreate>, string, ((id: string) => Promise<unknown>)?][]) {
      if (table[name][rule] !== true) continue;
      const { id, secret } = await serviceKeyOf(account, limits);
      await use?.(id);
      expect(await ask({ bearer: secret }), rule).toEqual(code(expected));
    }
    const { id, secret } = await serviceKeyOf(account);
    const byOperator = { requests_per_minute: 1, reason: "a test" };
    const limited = await call(gateway, owner.session, "PUT", `/operator/keys/${id}/limits`, byOperator);
    expect(limited).toMatchObject({ status: 200 });
    await limiter.take(id, { name: "operations", count: 1, periodMs: minuteMs });
    await expect.poll(() => ask({ bearer: secret })).toEqual(code("rate_limit_exceeded"));
  },
  async "wishes about its providers"({ name, way, ask }: Scene) {
    const other = { only: ["somebody-else"] };
    const header = { headers: { "x-svc-provider": JSON.stringify(other) } };
    const isRow = way.routes[0] === "POST /batches";
    expect(await ask({ more: { provider: other } })).toEqual(code("provider_not_available"));
    expect(await ask(header)).toEqual(code(isRow ? "invalid_parameter" : "provider_not_available"));
    expect(await ask({ more: { provider: { zdr: true } } })).toEqual(code("invalid_parameter"));
    const here = { provider: { only: ["sandbox", "acme"], require_parameters: true } };
    expect(await ask({ more: here })).toMatchObject({ code: null });
    const unknown = await ask({ more: { ...here, colour: "blue" } });
    expect(unknown.code).toBe(name === "message" ? "provider_not_available" : "invalid_parameter");
  },
  async "attestation of an adult"({ way, ask }: Scene) {
    expect(await ask({ model: gated(way.kind, "adult") })).toEqual(code(gates.adult));
  },
  async "attestation of portrait rights"({ way, ask }: Scene) {
    expect(await ask({ model: gated(way.kind, "portrait") })).toEqual(code(gates.portrait));
  },
  async "confirmation of each request"({ way, ask }: Scene) {
    expect(await ask({ model: gated(way.kind, "rights") })).toEqual(
      code("person_rights_confirmation_required"),
    );
  },
  async "reading of a kept answer"({ way, account, ask }: Scene) {
    const model = gated(way.kind, "adult");
    const headers = { "idempotency-key": "once" };
    await gateway.attest(account, "adult");
    expect(await ask({ model, headers })).toEqual(expect.objectContaining({ code: null }));
    const colleague = await gateway.addMember(account, "member");
    const { secret } = await keyOf(colleague);
    expect(await ask({ model, headers, bearer: secret })).toEqual(code(gates.adult));
  },
  async "hard budget of units"({ ask }: Scene) {
    const monthly_budget = { token: 0.5, generation: 0.5, second: 0.5 };
    expect(await ask({ limits: { monthly_budget } })).toEqual(code("budget_exceeded"));
  },
  async "hard budget of money"({ way, ask }: Scene) {
    const limits = { budgets: [{ amount: "0.000001", period: "total", hard: true } as const] };
    expect(await ask({ limits, model: paid[way.kind] })).toEqual(code("budget_exceeded"));
  },
  async "task budget"({ name, way, ask }: Scene) {
    const limits = { task_budget: { metadata_key: "session", max_runs: 1 } };
    const unnamed = await ask({ limits });
    expect(unnamed).toEqual(code("missing_parameter"));
    const account = await gateway.createAccount();
    const { secret } = await keyOf(account, limits);
    const metadata = { session: "s-1" };
    const inRow = name.startsWith("row") || name.startsWith("line");
    const named = inRow
      ? { more: { metadata } }
      : { headers: { "x-svc-metadata": JSON.stringify(metadata) } };
    const run = () => way.run({ bearer: secret, model: plain[way.kind], ...named });
    expect((await run()).code).toBeNull();
    await gateway.context.meter.flush();
    expect(await run()).toEqual(code("budget_exceeded"));
    const { data } = await get(account.session, "/tasks");
    expect(data).toMatchObject([{ value: "s-1", runs: 1, max_runs: 1, holder: { type: "key" } }]);
  },
  async "soft budget"(scene: Scene) {
    const { session, keyId } = await ranOnce(scene);
    const spent = async () =>
      ((await get(session, "/keys")).data as { id: string; budgets: { spent: string }[] }[]).find(
        ({ id }) => id === keyId,
      )?.budgets[0]?.spent;
    await expect.poll(spent).toBe("0.07");
  },
  async "usage and cost"(scene: Scene) {
    const { session } = await ranOnce(scene);
    const { kind } = scene.way;
    const cost = kind === "chat" ? { amount: "0.07" } : {};
    await expect
      .poll(async () => (await get(session, "/usage")).data)
      .toMatchObject([{ model: plain[kind], requests: 1, cost }]);
  },
  async "metadata of its caller"(scene: Scene) {
    const { session } = await ranOnce(scene);
    await expect
      .poll(async () => (await get(session, "/usage/metadata?key=customer")).data)
      .toMatchObject([{ value: "acme", requests: 1 }]);
  },
  async "request log"(scene: Scene) {
    const { session } = await ranOnce(scene);
    const logged = async () =>
      ((await get(session, `/requests?model=${plain[scene.way.kind]}`)).data as Fields[]).find(
        ({ run_id: run }) => run !== null,
      );
    await expect.poll(logged).toMatchObject({
      model: plain[scene.way.kind],
      metadata: { customer: "acme" },
      region: expect.any(String),
    });
  },
  async "why it failed"({ way, account, ask }: Scene) {
    const model = `acme/no-${way.kind}`;
    const pasted = `acme/sk-${"planted-secret-".repeat(2)}`;
    await ask({ model });
    await ask({ model: pasted });
    const rows = async (filter = "") => {
      const { data } = await get(account.session, `/requests?status_class=4xx${filter}`);
      return data as Fields[];
    };
    const said = async (words: string) =>
      (await rows()).find(({ message }) => String(message).includes(words));
    await expect
      .poll(() => said(model))
      .toMatchObject({ status: expect.any(Number), param: expect.any(String) });
    await expect.poll(() => said("acme/[hidden]")).toBeTruthy();
    expect(JSON.stringify(await rows())).not.toMatch(/planted|sk-/);
    // The models of OpenAI's batches are in a file.
    if (way.run !== openAiBatch)
      expect(await rows(`&model=${model}`)).toMatchObject([{ model: null, wanted_model: model }]);
  },
  async trace(scene: Scene) {
    const { traceId } = await ranOnce(scene);
    const isCall = ({ name }: { name: string }) => /^(start )?(chat|image-)/.test(name);
    const call = await collector.until(({ spans }) =>
      spans.find((span) => span.traceId === traceId && isCall(span)),
    );
    // The sandbox is inside, so only chats reach an upstream here.
    if (scene.way.kind !== "chat") return;
    const traceparent = `00-${traceId}-${call.spanId}-01`;
    expect(upstream.seen.filter(({ headers }) => headers.traceparent === traceparent)).toHaveLength(1);
  },
  async "once for an Idempotency-Key"({ account, ask }: Scene) {
    const { secret } = await keyOf(account);
    const headers = { "idempotency-key": "twice" };
    const [first, second] = [await ask({ bearer: secret, headers }), await ask({ bearer: secret, headers })];
    expect(first).toMatchObject({ code: null, id: expect.stringMatching(/./) });
    expect(second.id).toBe(first.id);
  },
  async audit({ account, ask }: Scene) {
    const { id } = await ask();
    const { data } = await get(account.session, "/audit_logs");
    expect((data as Fields[]).find(({ target_id: target }) => target === id)).toBeDefined();
  },
  async "uploads of others"({ way, ask }: Scene) {
    const stranger = await gateway.createAccount();
    const { reference } = await verifiedUpload(gateway, stranger.key);
    const model = way.kind === "chat" ? seeing : plain[way.kind];
    expect(await ask({ model, picture: String(reference) })).toEqual(code("upload_not_usable"));
  },
  async "unknown parameters are named"({ ask }: Scene) {
    expect(await ask({ more: { colour: "blue" } })).toMatchObject({
      code: null,
      ignored: expect.stringContaining("colour"),
    });
  },
  async "retry when no upstream could be called"({ way, ask }: Scene) {
    const { catalog } = gateway.context;
    const model = plain[way.kind];
    const tell = (outcome: "success" | "failure") => {
      for (const region of catalog.model(model)?.available_regions ?? [])
        catalog.report(model, region, outcome);
    };
    // An earlier run of this model may still end, and its success closes the breaker again.
    const refused = async () => {
      for (let failures = 0; failures < 5; failures += 1) tell("failure");
      return ask();
    };
    await expect.poll(refused).toMatchObject({ code: "no_healthy_region", retry: "after a while" });
    tell("success");
  },
  async "retry after every upstream refused to begin"({ ask }: Scene) {
    const answer = await afterRefusals([503, 503], ask);
    expect(answer).toMatchObject({ code: "service_unavailable", retry: "after a while" });
  },
  async "no retry after an upstream may have begun"({ ask }: Scene) {
    const answer = await afterRefusals([500, 500], ask);
    expect(answer).toMatchObject({ code: "upstream_error", retry: "never" });
    for (const [status, code] of [
      [503, "service_unavailable"],
      [429, "upstream_rate_limited"],
    ] as const)
      expect(await afterRefusals([500, status], ask)).toMatchObject({ code, retry: "never" });
  },
  async "no retry after the run may have been stored"({ account, ask }: Scene) {
    const { secret } = await keyOf(account);
    const { database } = gateway.context;
    const { transaction } = database;
    const called = upstream.seen.length;
    const lost = vi.spyOn(database, "transaction").mockImplementation(async (...work) => {
      await transaction.apply(database, work);
      throw new Error("Connection terminated unexpectedly");
    });
    const answer = await ask({ bearer: secret });
    lost.mockRestore();
    expect(answer).toMatchObject({ code: "service_unavailable", retry: "never" });
    // It was stored, so a worker runs it.
    await expect.poll(() => upstream.seen.length).toBeGreaterThan(called);
  },
  async "contents are kept as its account, key and caller say"({ way }: Scene) {
    const account = await gateway.createAccount();
    await call(gateway, account.session, "PATCH", "/account", { contents: { keep: "all" } });
    const { secret } = await keyOf(account);
    const { secret: leftOut } = await keyOf(account, { contents: "off" });
    const run = (bearer: string, headers?: Record<string, string>) =>
      way.run({ bearer, model: plain[way.kind], ...(headers && { headers }) });
    for (const [bearer, headers] of [
      [leftOut],
      [secret, { "x-svc-keep-contents": "false" }],
      [secret],
    ] as const)
      expect((await run(bearer, headers)).code).toBeNull();
    const kept = async () => (await get(account.session, "/contents")).data as { id: string }[];
    await expect.poll(async () => (await kept()).length).toBe(1);
    const [content] = await kept();
    const { input, output } = await get(account.session, `/contents/${content?.id}`);
    expect(JSON.stringify(input)).toMatch(/hello|pine/i);
    if (way.kind === "chat") expect(JSON.stringify(output)).toContain('"Hi"');
  },
} satisfies Record<string, (scene: Scene) => Promise<void>>;
type Rule = keyof typeof rules;

/** The outcome when the upstream refuses with these statuses, and its breaker is closed again. */
async function afterRefusals(statuses: readonly number[], ask: Scene["ask"]): Promise<Outcome> {
  refusals.push(...statuses);
  const answer = await ask();
  expect(refusals.splice(0)).toEqual([]);
  expect((await ask()).code).toBeNull();
  return answer;
}

/** Why a rule does not apply to an entrance. */
interface NotApplicable {
  notApplicable: string;
}
const no = (notApplicable: string): NotApplicable => ({ notApplicable });
type Row = Record<Rule, true | NotApplicable>;

const kept: Row = {
  "size of a body": true,
  "values of a body": true,
  "names of a body": true,
  "new names of a body": true,
  "depth of a body": true,
  rate: true,
  "tokens per minute": true,
  concurrency: true,
  "a caller that leaves": true,
  "guard of its installation": true,
  "guard of its installation, after the run": true,
  permission: true,
  "models of a key and its account": true,
  "regions of a key and its account": true,
  "limits of its account's plan": true,
  "limits of the service key as which it acts": true,
  "suspension of its account": true,
  "networks of a key and its account": true,
  "wishes about its providers": true,
  "attestation of an adult": true,
  "attestation of portrait rights": true,
  "confirmation of each request": true,
  "reading of a kept answer": true,
  "hard budget of units": true,
  "hard budget of money": true,
  "task budget": true,
  "soft budget": true,
  "usage and cost": true,
  "metadata of its caller": true,
  "request log": true,
  "why it failed": true,
  trace: true,
  "once for an Idempotency-Key": true,
  audit: no("a run changes nothing of its account: the request log has it"),
  "uploads of others": true,
  "unknown parameters are named": true,
  "retry when no upstream could be called": true,
  "retry after every upstream refused to begin": true,
  "no retry after an upstream may have begun": true,
  "no retry after the run may have been stored": no("nothing is stored before the upstream is called"),
  "contents are kept as its account, key and caller say": true,
};
/** A run that a worker begins later. */
const ofWorker: Partial<Row> = {
  "retry after every upstream refused to begin": no("a worker calls it later, and tries again by itself"),
  "no retry after an upstream may have begun": no("a worker calls it later; its error is that of the run"),
  "no retry after the run may have been stored": true,
};
const ofPrediction: Partial<Row> = {
  ...ofWorker,
  "contents are kept as its account, key and caller say": no("a prediction keeps its own input"),
  "no retry after the run may have been stored": no("its row is looked for before the error is sent"),
};
const withoutHeaders = no("its errors have no headers");
const ofMessages: Partial<Row> = {
  "retry when no upstream could be called": withoutHeaders,
  "retry after every upstream refused to begin": withoutHeaders,
  "no retry after an upstream may have begun": withoutHeaders,
};
/** The log row of an output made by the sandbox, which has no price. */
const unpriced: Partial<Row> = {
  "tokens per minute": no("a limit of tokens counts text, and this is a picture"),
  "hard budget of money": no("the sandbox, which makes it here, costs nothing"),
  "soft budget": no("the sandbox, which makes it here, costs nothing"),
  "uploads of others": no("its model reads no files: the multipart body and the chats do"),
};
const stored: Partial<Row> = {
  "a caller that leaves": no("a stored run continues: it is read later, or canceled"),
};
const ofBatch: Partial<Row> = {
  "a caller that leaves": no("nobody waits for a row: it is stopped with its batch"),
  ...ofWorker,
  "retry when no upstream could be called": no("its rows wait until one can be called"),
  "size of a body": true,
  "reading of a kept answer": no(
    "the answer is the batch, which has no output; `readers.test.ts` reads its rows",
  ),
  "request log": no(
    "a row is logged as itself: `GET /batches/{id}/rows` has its run, its error and its cost",
  ),
  audit: true,
};
const ofCount: Partial<Row> = {
  "contents are kept as its account, key and caller say": no("no model is called"),
  "guard of its installation": no("no model runs: where a guard would be asked, the count is an estimate"),
  "guard of its installation, after the run": no("no model runs"),
  "a caller that leaves": no("a count costs nothing, and ends after five seconds"),
  "wishes about its providers": no("no model runs: where it may not, the count is an estimate"),
  "attestation of an adult": no("no model runs: where it may not, the count is an estimate"),
  "attestation of portrait rights": no("no model runs: where it may not, the count is an estimate"),
  "confirmation of each request": no("no model runs: where it may not, the count is an estimate"),
  "regions of a key and its account": no("no model runs: where it may not, the count is an estimate"),
  "reading of a kept answer": no("nothing is kept"),
  "hard budget of units": no("a count costs nothing"),
  "hard budget of money": no("a count costs nothing"),
  "task budget": no("a count costs nothing"),
  "soft budget": no("a count costs nothing"),
  "usage and cost": no("a count costs nothing"),
  "metadata of its caller": no("a count costs nothing, so nobody adds it up"),
  "tokens per minute": no("a count uses none"),
  "request log": no("its row has no run"),
  trace: no("no model is called"),
  "once for an Idempotency-Key": no("it may be repeated: nothing is made"),
  "uploads of others": no("files are not read"),
  "retry when no upstream could be called": no("no upstream is called"),
  "retry after every upstream refused to begin": no("no upstream is called"),
  "no retry after an upstream may have begun": no("no upstream is called"),
  "unknown parameters are named": no("only what a model reads is counted"),
};

const table: Record<Entrance, Row> = {
  "sync operation": kept,
  stream: kept,
  "multipart body": {
    ...kept,
    ...unpriced,
    ...ofPrediction,
    "size of a body": no("its parts are measured while they are received: `multipart.test.ts`"),
    "depth of a body": no("what its schema does not list stays text"),
    "uploads of others": true,
  },
  prediction: { ...kept, ...unpriced, ...stored, ...ofPrediction },
  "generic route": kept,
  "route by version": { ...kept, ...unpriced, ...stored, ...ofPrediction },
  response: kept,
  "response in the background": { ...kept, ...stored, ...ofWorker },
  compaction: kept,
  WebSocket: {
    ...kept,
    ...ofMessages,
    "reading of a kept answer": no("a message has no Idempotency-Key"),
    "once for an Idempotency-Key": no("a message has no Idempotency-Key"),
    "unknown parameters are named": no("a message has no headers, and events are OpenAI's"),
  },
  message: kept,
  "row of a batch": {
    ...kept,
    ...ofBatch,
  },
  "row of a comparison": { ...kept, ...ofBatch },
  "line of OpenAI's batch": {
    ...kept,
    ...ofBatch,
    "no retry after the run may have been stored": no("stored as other batches, after its file"),
  },
  "run of an agent": {
    ...kept,
    ...ofMessages,
    "confirmation of each request": no("an agent may never confirm it: `tools.test.ts`"),
  },
  "count of a response's tokens": { ...kept, ...ofCount },
  "count of a message's tokens": { ...kept, ...ofCount },
};

describe.each(entrances)("%s", (name) => {
  const asked = (Object.keys(rules) as Rule[]).filter((rule) => table[name][rule] === true);
  let scene: Scene;
  beforeAll(async () => {
    scene = await sceneOf(name);
  });

  it.each(asked)("keeps the rule: %s", (rule) => rules[rule](scene));
});

it("suspends an account at every other entrance, too", async () => {
  const account = await gateway.createAccount();
  const { secret } = await keyOf(account);
  const pending = await announce(gateway, account.key);
  const inParts = await announce(gateway, account.key);
  const agent = await connect(gateway, account.session);
  const opened = await post(account.key, "/account/sessions/key", undefined);
  const invited = await post(account.session, "/account/invitations", {
    ...{ email: "late@example.com", role: "viewer" },
  });
  await suspend(account, secret);
  const tus = {
    "tus-resumable": "1.0.0",
    "upload-offset": "0",
    "content-type": "application/offset+octet-stream",
  };
  const patch = { method: "PATCH", headers: tus, body: new Uint8Array(png) };
  const answers = {
    "console session": call(gateway, account.session, "GET", "/account"),
    "session of a key": call(gateway, String(opened.body.token), "GET", "/account"),
    "new session of a key": post(account.key, "/account/sessions/key", undefined),
    "public route": call(gateway, account.key, "GET", "/status"),
    list: call(gateway, account.key, "GET", "/predictions"),
    upload: post(account.key, "/uploads", { content_type: "image/png", size_bytes: 10 }),
    "bytes of an upload": put(pending),
    "part of an upload": fetch(inParts.resume_url ?? "", patch),
    "tools of an agent": callTool(gateway, agent.accessToken, "list_models", {}),
    invitation: post("", "/account/invitations/accept", {
      ...{ token: invited.body.token, name: "Late", password: "four words apart" },
    }),
  };
  for (const [entrance, asked] of Object.entries(answers)) expect((await asked).status, entrance).toBe(403);
  expect(await refreshWith(gateway, agent, agent.refreshToken)).toMatchObject({
    ...{ status: 403, body: { error: "access_denied", error_description: expect.stringContaining("Abuse") } },
  });
  // A person still opens their other accounts, and signs out.
  expect((await call(gateway, account.session, "GET", "/accounts")).status).toBe(200);
  expect((await call(gateway, account.session, "DELETE", "/account/sessions/current")).status).toBe(200);
  // The refresh token was not used up.
  await call(gateway, owner.session, "DELETE", `/operator/accounts/${account.accountId}/suspension`);
  expect((await refreshWith(gateway, agent, agent.refreshToken)).status).toBe(200);
});

it("refuses callers from other networks at every other entrance; signed URLs stay as they are", async () => {
  const account = await gateway.createAccount();
  const { secret } = await keyOf(account);
  const pending = await announce(gateway, account.key);
  const agent = await connect(gateway, account.session);
  const opened = await post(account.key, "/account/sessions/key", undefined);
  const networks = ["203.0.113.0/24"];
  await allowOnly(account, secret, { keys: networks });
  const answers = {
    "session of a key": call(gateway, String(opened.body.token), "GET", "/account"),
    "new session of a key": post(account.key, "/account/sessions/key", undefined),
    "public route": call(gateway, account.key, "GET", "/status"),
    list: call(gateway, account.key, "GET", "/predictions"),
    upload: post(account.key, "/uploads", { content_type: "image/png", size_bytes: 10 }),
    "event stream": call(gateway, account.key, "GET", "/account/sessions/current/events"),
    "tools of an agent": callTool(gateway, agent.accessToken, "list_models", {}),
  };
  for (const [entrance, asked] of Object.entries(answers)) expect((await asked).status, entrance).toBe(403);
  const refused = { status: 403, body: { error: "access_denied" } };
  expect(await refreshWith(gateway, agent, agent.refreshToken)).toMatchObject(refused);
  expect((await put(pending)).status).toBeLessThan(300);
  expect((await call(gateway, account.session, "GET", "/account")).status).toBe(200);
  await allowOnly(account, account.session, { sign_in: networks, keys: null, confirmed: true });
  expect((await call(gateway, account.session, "GET", "/accounts")).status).toBe(403);
  // The refresh token was not used up.
  expect((await refreshWith(gateway, agent, agent.refreshToken)).status).toBe(200);
});

it("what contents keep of a chat is nowhere else, whichever entrance it came by", async () => {
  const account = await gateway.createAccount();
  await call(gateway, account.session, "PATCH", "/account", { contents: { keep: "all" } });
  const { secret } = await keyOf(account);
  const chats = entrances.filter((name) => ways[name].kind === "chat" && !name.startsWith("count"));
  const messages = [{ role: "user", content: planted.asked }];
  for (const name of chats) {
    const more = /response|compaction|WebSocket/.test(name) ? { input: planted.asked } : { messages };
    expect(await ways[name].run({ bearer: secret, model: plain.chat, more })).toMatchObject({ code: null });
  }
  refusals.push(400);
  const failed = await post(secret, "/chat/completions", { model: plain.chat, messages });
  expect(failed.status).toBe(400);
  const kept = async () => (await get(account.session, "/contents")).data as { id: string }[];
  await expect.poll(async () => (await kept()).length).toBe(chats.length + 1);
  for (const { id } of await kept()) {
    const content = await get(account.session, `/contents/${id}`);
    expect(JSON.stringify(content.input)).toContain(planted.asked);
    if (content.error === null) expect(JSON.stringify(content.output)).toContain(planted.answered);
  }
  const lastRequest = failed.headers.get("x-request-id");
  await collector.until(({ spans }) =>
    spans.find(({ attributes }) => attributes["gatehouse.request.id"] === lastRequest),
  );
  const textAt = async (to: string, bearer = account.session) => {
    const response = await fetch(to, { headers: { authorization: `Bearer ${bearer}` } });
    expect([to, response.status]).toEqual([to, 200]);
    return response.text();
  };
  const told: Record<string, string> = {
    traces: collector.text(),
    log: gateway.logLines.join("\n"),
    error: JSON.stringify(failed.body),
    metrics: await textAt(gateway.url.replace("/v1", "/metrics"), metricsToken),
    notices: await textAt(`${gateway.url}/notices`),
    usage: await textAt(`${gateway.url}/usage/export`),
    requests: await textAt(`${gateway.url}/requests/export`),
    audit: await textAt(`${gateway.url}/audit_logs/export`),
  };
  const says = (text: string) => Object.values(planted).some((words) => text.includes(words));
  expect(Object.keys(told).filter((sink) => says(told[sink] ?? ""))).toEqual([]);
  // Webhooks, e-mails and all other records are rows before they are sent.
  const { queries } = gateway.context.database;
  const { rows: tables } = await queries.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const forms = Object.values(planted).flatMap((words) => [words, Buffer.from(words).toString("hex")]);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await queries.execute(
      sql`select from ${sql.identifier(name)} as t where t::text ~ ${forms.join("|")} and t::text !~ 'response.completed' limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  // Batches and stored responses have texts of their own, as has the event of a response in the background.
  expect(found.toSorted()).toEqual(["batch_rows", "responses"]);
});

it("with contents off, by the account or the operator, no entrance hands any of it over to be kept", async () => {
  const { config, contents: recorder } = gateway.context;
  const { contents: allowed } = config;
  const [silent, forbidden] = [await gateway.createAccount(), await gateway.createAccount()];
  await call(gateway, forbidden.session, "PATCH", "/account", { contents: { keep: "all" } });
  config.contents = null;
  const add = vi.spyOn(recorder, "add");
  const chats = entrances.filter((name) => ways[name].kind === "chat" && !name.startsWith("count"));
  try {
    const running = [silent, forbidden].flatMap(({ key }) =>
      chats.map((name) => ways[name].run({ bearer: key, model: plain.chat })),
    );
    expect(new Set((await Promise.all(running)).map(({ code }) => code))).toEqual(new Set([null]));
    const ids = new Set([silent.accountId, forbidden.accountId]);
    expect(add.mock.calls.filter(([{ accountId }]) => ids.has(accountId))).toEqual([]);
  } finally {
    config.contents = allowed;
    add.mockRestore();
  }
});

it("what a guard blocks after a chat is charged and nowhere, whichever entrance it came by", async () => {
  const account = await gateway.createAccount();
  await call(gateway, account.session, "PATCH", "/account", { contents: { keep: "all" } });
  const { id: key, secret } = await keyOf(account);
  const program = await startUpstream((_, response) => sendJson(response, { action: "block" }));
  const settings = {
    url: program.origin,
    allow_private: true,
    keys: [key],
    stages: ["output"],
    streams: "hold",
  };
  expect(await post(owner.session, "/operator/guard", settings)).toMatchObject({ status: 201 });
  const chats = entrances.filter((name) => ways[name].kind === "chat" && !name.startsWith("count"));
  try {
    for (const name of chats) {
      const isResponse = /response|compaction|WebSocket/.test(name);
      const messages = [{ role: "user", content: blocked.asked }];
      const more = isResponse ? { input: blocked.asked } : { messages };
      const { code } = await ways[name].run({ bearer: secret, model: plain.chat, more });
      expect([name, code]).toEqual([name, "content_blocked"]);
    }
  } finally {
    await call(gateway, owner.session, "DELETE", "/operator/guard");
    await program.close();
  }
  const usage = async () => (await get(account.session, "/usage")).data;
  await expect
    .poll(usage)
    .toMatchObject([{ requests: chats.length, cost: { amount: (chats.length * 0.07).toFixed(2) } }]);
  const kept = async () => (await get(account.session, "/contents")).data as { id: string }[];
  await expect.poll(async () => (await kept()).length).toBe(chats.length);
  for (const { id } of await kept())
    expect(JSON.stringify(await get(account.session, `/contents/${id}`))).not.toContain(blocked.answered);
  const { queries } = gateway.context.database;
  const { rows: tables } = await queries.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const forms = [blocked.answered, Buffer.from(blocked.answered).toString("hex")].join("|");
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await queries.execute(
      sql`select from ${sql.identifier(name)} as t where t::text ~ ${forms} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  expect(found).toEqual([]);
  expect([gateway.logLines.join("\n"), collector.text()].join("\n")).not.toContain(blocked.answered);
});

/** Routes with the permission to run models that run none. */
const withoutRun = ["POST /batches/check", "POST /batches/{id}/pick", "GET /prices", "GET /prices/models"];

it("names every route that runs a model", () => {
  const named = new Set([...Object.values(ways).flatMap(({ routes }) => routes), ...withoutRun]);
  const running = Object.values(sections).flatMap((routes) =>
    Object.entries(routes as Record<string, Route>)
      .filter(([, { permission, operation }]) => permission === "operations:run" || operation !== undefined)
      .map(([route]) => route),
  );
  expect(running.filter((route) => !named.has(route))).toEqual([]);
});

it("names every module that starts a run; the command line and imports start none", () => {
  const folder = path.join(import.meta.dirname);
  const beginning = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) =>
      /^import .*\bwith(Budget|Guards)\b/m.test(readFileSync(path.join(folder, file), "utf8")),
    );
  expect(beginning.toSorted()).toEqual([
    "runs/batches/run-row.ts",
    "runs/execution/chat-stream.ts",
    "runs/execution/run-operation.ts",
    "runs/guards/with-guards.ts",
    "runs/responses/background/worker.ts",
  ]);
});
