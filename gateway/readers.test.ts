import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Permission } from "#contract/accounts/permissions.ts";
import { sections } from "#contract/routes/table.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";

/*
 * Outputs and texts of gated models are shown only to readers who attested. Each kind of reader tries every
 * way to read. All prompts and texts contain the word below, and gated models made everything in the account.
 */
const secret = "heliotrope";
const address = /\/v1\/(files|previews)\//;
const chat = "acme/gated-chat";
const pictures = "acme/gated-pictures";
const film = {
  ...{ model: "svc/adult-vid-1", mode: "text-to-video", prompt: `Waves, ${secret}`, duration: 2 },
  ...{ resolution: "480P", ratio: "16:9", audio: false },
};
const picture = { model: pictures, prompt: `A rock, ${secret}`, size: "256x256" };

const soon = { interval: 50 };

let gateway: TestGateway;
let account: TestAccount;
let receiver: Receiver;
/** The bearer of each kind of reader. */
const bearers: Record<string, string> = {};

const cleared = [
  "person who attested",
  "key of a person who attested",
  "service key of an owner who attested",
];
const others = [
  "person who has not attested",
  "viewer",
  "person who has withdrawn",
  "key of a person who has not attested",
  "key of a person who has withdrawn",
  "service key of an admin who has not attested",
  "service key without a responsible person",
];

/** The ids of all objects, made by the person who attested. */
const made = {
  ...{ prediction: "", canceled: "", output: "", batch: "", lines: "", response: "", item: "", delivery: "" },
  ...{
    eventBefore: "",
    events: ["", ""],
    share: "",
    requests: "",
    unused: "",
    open: "",
    table: "",
    preset: "",
  },
};

const send = (bearer: string, method: string, to: string, body?: unknown, headers = {}) =>
  call(gateway, bearer, method, to, body, headers);
const get = async (bearer: string, to: string) => (await send(bearer, "GET", to)).body;
const sql = (text: string, ...values: unknown[]) => gateway.context.database.pool.query(text, values);

beforeAll(async () => {
  const authority = await makeAuthority(newFolder("authority"));
  receiver = await startReceiver(authority.local);
  // Receivers may echo the body.
  receiver.answer(({ body }, response) => response.writeHead(200, { "x-echo": secret }).end(body));
  gateway = await startTestGateway({ webhooks: webhooksTo(receiver.port, authority) });
  account = await gateway.createAccount();
  await gateway.attest(account, "adult");
  await makeReaders();
  for (const [id, model, api_type] of [
    [chat, "svc/chat-1", "chat-completions"],
    [pictures, "svc/img-gen-a-1", "image-generation"],
  ]) {
    const safety_requirements = { adult_attestation_required: true };
    const own = { id, template: { model, api_type }, safety_requirements };
    expect(await send(account.session, "POST", "/operator/models", own)).toMatchObject({ status: 201 });
  }
  await makeEverything();
}, 120_000);
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

async function makeReaders() {
  const [plain, viewer, former, admin] = [
    await gateway.addMember(account, "member"),
    await gateway.addMember(account, "viewer"),
    await gateway.addMember(account, "admin"),
    await gateway.addMember(account, "admin"),
  ];
  const keyOf = async (session: string, kind: "personal" | "service") =>
    (await send(session, "POST", "/keys", { name: kind, kind })).body as { id: string; secret: string };
  const former_ = { ...account, userId: former.userId };
  await gateway.attest(former_, "adult", "portrait_rights");
  Object.assign(bearers, {
    "person who attested": account.session,
    "person who has not attested": plain.session,
    viewer: viewer.session,
    "person who has withdrawn": former.session,
    "key of a person who attested": (await keyOf(account.session, "personal")).secret,
    "key of a person who has not attested": (await keyOf(plain.session, "personal")).secret,
    "key of a person who has withdrawn": (await keyOf(former.session, "personal")).secret,
    "service key of an owner who attested": (await keyOf(account.session, "service")).secret,
    "service key of an admin who has not attested": (await keyOf(admin.session, "service")).secret,
  });
  for (const kind of ["adult", "portrait_rights"])
    await send(former.session, "DELETE", `/account/attestations/${kind}`);
  const orphan = await keyOf(account.session, "service");
  await sql("update api_keys set answered_by = null where id = $1", orphan.id);
  bearers["service key without a responsible person"] = orphan.secret;
}

async function uploaded(content: string, name: string, purpose?: string) {
  const form = new FormData();
  if (purpose) form.set("purpose", purpose);
  form.set("file", new Blob([content]), name);
  const headers = { authorization: `Bearer ${account.session}` };
  const sent = await fetch(`${gateway.url}/files`, { method: "POST", headers, body: form });
  return ((await sent.json()) as { id: string }).id;
}

/** A batch in OpenAI's shape. */
async function fileOfLines() {
  const endpoint = "/v1/chat/completions";
  const body = { model: chat, messages: [{ role: "user", content: `Say ${secret}.` }] };
  const lineOf = (model: string) =>
    JSON.stringify({ custom_id: "a", method: "POST", url: endpoint, body: { ...body, model } });
  made.requests = await uploaded(lineOf(chat), "lines.jsonl", "batch");
  made.unused = await uploaded(`${lineOf("svc/chat-1")}\n${lineOf(chat)}`, "unused.jsonl", "batch");
  made.open = await uploaded(lineOf("svc/chat-1"), "open.jsonl", "batch");
  return { input_file_id: made.requests, endpoint, completion_window: "24h" };
}

async function makeEverything() {
  const post = async (to: string, body: unknown, headers = {}) => {
    const answer = await send(account.session, "POST", to, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const url = `${receiver.url}/hook`;
  const events = ["prediction.succeeded", "prediction.canceled", "response.completed"];
  await post("/webhooks/endpoints", { url, events });
  made.canceled = String((await post("/videos", film)).id);
  await post(`/predictions/${made.canceled}/cancel`, undefined);
  made.prediction = String((await post("/videos", film, { prefer: "wait=50" })).id);
  await post("/images/generations", picture, { "idempotency-key": "once" });
  const { data: outputs } = await get(account.session, `/outputs?prediction_id=${made.prediction}`);
  made.output = (outputs as { id: string }[])[0]?.id ?? "";
  await post(`/outputs/${made.output}/keep`, { labels: ["film"] });
  await send(account.session, "PATCH", "/account", { share_gated_outputs: true });
  const shared = await post(`/outputs/${made.output}/shares`, { expires_in: 3600, show_prompt: true });
  made.share = String(shared.url).split("/").at(-1) ?? "";
  const rows = [{ prompt: `Say ${secret}.` }, { ...picture, api_type: "image-generation" }];
  made.batch = String((await post("/batches", { model: chat, kind: "comparison", rows })).id);
  made.lines = String((await post("/batches", await fileOfLines())).id);
  made.table = await uploaded(`prompt\nA ${secret} rock\n`, "rocks.csv");
  const ofTable = await post("/batches", { model: pictures, upload: `upload://${made.table}` });
  const preset = { name: "film", model: film.model, api_type: "video-generation" };
  made.preset = String((await post("/presets", { ...preset, input: { prompt: `Waves, ${secret}` } })).id);
  await send(account.session, "PATCH", `/presets/${made.preset}`, { input: { prompt: `Sea, ${secret}` } });
  const queued = await post("/responses", {
    ...{ model: chat, input: `Say ${secret}.`, instructions: `Love ${secret}.`, background: true },
  });
  made.response = String(queued.id);
  for (const id of [made.batch, made.lines, String(ofTable.id)])
    await vi.waitFor(
      async () =>
        expect(await get(account.session, `/batches/${id}?shape=gatehouse`)).toMatchObject({
          ...{ status: "finished", counts: { failed: 0 } },
        }),
      soon,
    );
  const { data: items } = await get(account.session, `/responses/${made.response}/input_items`);
  made.item = (items as { id: string }[])[0]?.id ?? "";
  const delivered = async () =>
    ((await get(account.session, "/webhooks/deliveries?status=delivered")).data ?? []) as {
      id: string;
      event_id: string;
      event_type: string;
    }[];
  await vi.waitFor(async () => expect(await delivered()).toHaveLength(3), soon);
  const of = async (type: string) => (await delivered()).find(({ event_type }) => event_type === type);
  made.delivery = (await of("prediction.succeeded"))?.id ?? "";
  made.eventBefore = (await of("prediction.canceled"))?.event_id ?? "";
  made.events = await Promise.all(
    ["prediction.succeeded", "response.completed"].map(async (type) => (await of(type))?.event_id ?? ""),
  );
}

interface Way {
  /** The route as in the table of routes. */
  route: string;
  /** Distinguishes several requests to the same route. */
  title?: string;
  read: (bearer: string) => Promise<string>;
  /** Part of the answer for a reader who attested. */
  shows: RegExp;
  /** Part of the answer for all others: the hidden field and the reason. */
  tells: RegExp;
  /** Readers without access. */
  notFor?: (kind: string) => boolean;
}

const text = async (bearer: string, method: string, to: string, body?: unknown, headers = {}) => {
  const response = await fetch(`${gateway.url}${to}`, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return `${response.status} ${response.headers.get("location") ?? ""} ${await response.text()}`;
};
const way = (route: string, to: () => string, more: Partial<Way> = {}): Way => ({
  route,
  read: (bearer) => text(bearer, route.split(" ")[0] ?? "GET", to()),
  shows: address,
  tells: /"gated":"adult"/,
  ...more,
});
const refused = /^403 .*"code":"adult_attestation_required"/;
const isViewer = (kind: string) => kind === "viewer";
const word = new RegExp(secret);
const found = { shows: word, tells: /"data":\[\]/ };

const ways: Way[] = [
  way("GET /predictions", () => "/predictions"),
  way("GET /predictions", () => "/predictions?view=summary", { title: "in short", shows: word }),
  way("GET /predictions", () => `/predictions?search=${secret}`, { title: "by a word", ...found }),
  way("GET /predictions/{id}", () => `/predictions/${made.prediction}`),
  way("GET /predictions/{id}/events", () => `/predictions/${made.prediction}/events`),
  way("POST /predictions/{id}/cancel", () => `/predictions/${made.canceled}/cancel`, {
    ...{ shows: word, notFor: isViewer },
  }),
  way("GET /videos", () => "/videos", { shows: word, tells: /"prompt":null/ }),
  way("GET /videos/{id}", () => `/videos/${made.prediction}`, { shows: word, tells: /"prompt":null/ }),
  way("GET /videos/{id}/content", () => `/videos/${made.prediction}/content`, { tells: refused }),
  way("GET /outputs", () => "/outputs"),
  way("GET /outputs", () => `/outputs?prediction_id=${made.prediction}`, { title: "of a prediction" }),
  way("GET /outputs", () => "/outputs?kept=true", { title: "of the library" }),
  way("GET /outputs", () => `/outputs?kept=true&search=${secret}`, { title: "by a word", ...found }),
  way("GET /outputs/labels", () => "/outputs/labels"),
  way("GET /outputs/{id}", () => `/outputs/${made.output}`),
  way("POST /outputs/{id}/keep", () => `/outputs/${made.output}/keep`, {
    read: (bearer) => text(bearer, "POST", `/outputs/${made.output}/keep`, {}),
    ...{ tells: refused, notFor: isViewer },
  }),
  way("GET /search", () => "", {
    read: (bearer) => searched(bearer, secret),
    ...{ shows: word, tells: /"groups":\[\]/ },
  }),
  way("GET /search", () => "", {
    title: "by the id",
    read: (bearer) => searched(bearer, made.prediction),
    ...{ shows: word, tells: /svc\/adult-vid-1/ },
  }),
  way("GET /batches", () => "/batches?shape=gatehouse"),
  way("GET /batches/{id}/rows", () => `/batches/${made.batch}/rows`),
  way("GET /batches/{id}/results.csv", () => `/batches/${made.batch}/results.csv`, {
    tells: /result_gated\r\n.*,adult\r\n/,
  }),
  way("GET /batches/{id}/results.zip", () => `/batches/${made.batch}/results.zip`, {
    ...{
      shows: /"files":\[\{"name":"files\/0002-1/,
      tells: /"gated":"adult","left_out":\[\{"name":"files\/0002-1/,
    },
  }),
  way("GET /files/{id}/content", () => `/files/${made.lines}_output/content`, {
    ...{ shows: word, tells: /"response":null,"error":\{"code":"adult_attestation_required"/ },
  }),
  way("GET /files/{id}/content", () => `/files/${made.requests}/content`, {
    ...{ title: "of the requests of a batch", tells: refused },
    // The file itself, or the address in the store.
    shows: new RegExp(`${secret}|${address.source}`),
  }),
  way("GET /files/{id}/content", () => `/files/${made.unused}/content`, {
    ...{ title: "of requests that no batch has used", tells: refused },
    shows: new RegExp(`${secret}|${address.source}`),
  }),
  way("GET /files/{id}/content", () => `/files/${made.table}/content`, {
    ...{ title: "of the table of a batch", tells: refused },
    shows: new RegExp(`${secret}|${address.source}`),
  }),
  way("GET /uploads", () => "/uploads", { tells: /"download_url":null/ }),
  way("GET /uploads/{id}", () => `/uploads/${made.requests}`, { tells: /"download_url":null/ }),
  way("GET /uploads/{id}", () => `/uploads/${made.unused}`, {
    ...{ title: "requests that no batch has used", tells: /"download_url":null.*"gated":"adult"/ },
    // They may be for any model, and nobody here has attested portrait rights.
    shows: /"gated":"portrait_rights"/,
  }),
  way("GET /uploads/{id}", () => `/uploads/${made.table}`, {
    ...{ title: "a table", tells: /"download_url":null/ },
  }),
  way("POST /uploads/{id}/verify", () => "", {
    read: (bearer) => text(bearer, "POST", `/uploads/${made.table}/verify`, {}),
    ...{ tells: /"download_url":null/, notFor: isViewer },
  }),
  way("POST /batches/check", () => "", {
    title: "the table with a model that needs no attestation",
    read: (bearer) =>
      text(bearer, "POST", "/batches/check", { model: "svc/img-gen-b", upload: `upload://${made.table}` }),
    ...{ shows: /^200 /, tells: refused, notFor: isViewer },
  }),
  way("GET /presets/{id}", () => `/presets/${made.preset}`, { shows: word, tells: refused }),
  way("GET /presets/{id}/versions/{version}", () => `/presets/${made.preset}/versions/1`, {
    ...{ shows: word, tells: refused },
  }),
  way("PATCH /presets/{id}", () => "", {
    read: (bearer) => text(bearer, "PATCH", `/presets/${made.preset}`, { name: "film" }),
    ...{ shows: word, tells: refused, notFor: isViewer },
  }),
  way("POST /presets/{id}/versions/{version}/restore", () => "", {
    read: (bearer) => text(bearer, "POST", `/presets/${made.preset}/versions/1/restore`, {}),
    ...{ shows: word, tells: refused, notFor: isViewer },
  }),
  way("GET /events", () => "/events?limit=100", { notFor: isViewer }),
  way("GET /webhooks/listen", () => "/webhooks/listen", { read: listened, notFor: isViewer }),
  way("GET /webhooks/deliveries/{id}", () => `/webhooks/deliveries/${made.delivery}`),
  way("GET /responses/{id}", () => `/responses/${made.response}`, { shows: word, tells: refused }),
  way("GET /responses/{id}", () => `/responses/${made.response}?stream=true`, {
    ...{ title: "as a stream", shows: word, tells: refused },
  }),
  way("POST /responses/input_tokens", () => "/responses/input_tokens", {
    read: (bearer) => {
      const body = { model: "svc/chat-1", input: "x", previous_response_id: made.response };
      return text(bearer, "POST", "/responses/input_tokens", body);
    },
    ...{ shows: /"input_tokens":/, tells: refused, notFor: isViewer },
  }),
  way("GET /videos/{id}/content", () => `/videos/${made.prediction}/content?variant=thumbnail`, {
    ...{ title: "its thumbnail", tells: refused },
  }),
  way("GET /responses/{id}/receipt", () => `/responses/${made.response}/receipt`, {
    ...{ shows: /"signature":/, tells: refused },
  }),
  way("GET /responses/{id}/input_items", () => `/responses/${made.response}/input_items`, {
    ...{ shows: word, tells: refused },
  }),
  way("POST /responses", () => "/responses", {
    title: "from a gated response",
    read: (bearer) => {
      const body = { model: "svc/chat-1", input: "Repeat.", previous_response_id: made.response };
      return text(bearer, "POST", "/responses", { ...body, store: false });
    },
    ...{ shows: /"status":"completed"/, tells: refused, notFor: isViewer },
  }),
  way("POST /responses", () => "/responses", {
    title: "with an item of a gated response",
    read: (bearer) => {
      const input = [{ type: "item_reference", id: made.item }];
      return text(bearer, "POST", "/responses", { model: "svc/chat-1", input, store: false });
    },
    ...{ shows: /"status":"completed"/, tells: refused, notFor: isViewer },
  }),
  way("POST /responses/compact", () => "/responses/compact", {
    read: (bearer) =>
      text(bearer, "POST", "/responses/compact", {
        ...{ model: "svc/chat-1", input: "x", previous_response_id: made.response },
      }),
    ...{ shows: /response\.compaction/, tells: refused, notFor: isViewer },
  }),
  way("POST /images/generations", () => "/images/generations", {
    title: "replayed",
    read: (bearer) => text(bearer, "POST", "/images/generations", picture, { "idempotency-key": "once" }),
    ...{ tells: refused, notFor: isViewer },
  }),
  way("GET /shared/{token}", () => `/shared/${made.share}`, {
    shows: word,
    tells: /"code":"(adult_attestation_required|user_session_required)"/,
    notFor: (kind) => kind.includes("key"),
  }),
  way("POST /mcp", () => "", { read: byAgent, notFor: (kind) => !kind.includes("key") }),
];

it.each(["person who has not attested", "service key of an admin who has not attested"])(
  "requests for a model without gates are shown to a %s",
  async (kind) => {
    const answer = await text(bearers[kind] ?? "", "GET", `/files/${made.open}/content`);
    expect(answer).toMatch(new RegExp(`^200 .*(${secret}|${address.source})`, "s"));
  },
);

/** On a busy machine a search may run out of time, so it is repeated until its answer is complete. */
function searched(bearer: string, q: string): Promise<string> {
  return vi.waitFor(async () => {
    const answer = await text(bearer, "GET", `/search?q=${q}`);
    expect(answer).toContain('"partial":[]');
    return answer;
  });
}

/** Reads both events from a stream that starts before them. */
async function listened(bearer: string): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}`, "last-event-id": made.eventBefore };
  const response = await fetch(`${gateway.url}/webhooks/listen`, { headers });
  const decoder = new TextDecoder();
  let told = "";
  for await (const chunk of response.body ?? []) {
    told += decoder.decode(chunk as Uint8Array, { stream: true });
    if (made.events.every((id) => new RegExp(`id: ${id}\n.*\ndata: .*\n\n`).test(told))) break;
  }
  return told;
}

async function byAgent(bearer: string): Promise<string> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", gateway.url), { requestInit }));
  const answer = await client.callTool({ name: "get_run", arguments: { id: made.prediction } });
  await client.close();
  return JSON.stringify(answer.structuredContent).replace(
    /"gated":"[^"]*\\"adult\\"[^"]*"/,
    '"gated":"adult"',
  );
}

describe.each(ways.map((one) => [[one.route, one.title].filter(Boolean).join(", "), one] as const))(
  "%s",
  (_name, { read, shows, tells, notFor }) => {
    it.each(cleared)("shows it to a %s", async (kind) => {
      if (notFor?.(kind)) return;
      expect(await read(bearers[kind] ?? "")).toMatch(shows);
    });

    it.each(others)("hides it from a %s", async (kind) => {
      const answer = await read(bearers[kind] ?? "");
      expect(answer).not.toMatch(word);
      expect(answer).not.toMatch(address);
      if (!notFor?.(kind)) expect(answer).toMatch(tells);
    });
  },
);

/** Routes whose answers contain nothing that a model made. */
const withoutOutputs = [
  "GET /predictions/{id}/notes",
  // Contains only salted hashes.
  "GET /predictions/{id}/receipt",
  "GET /summary",
  // Names, sizes and hashes.
  ...[
    "GET /uploads/{id}/parts",
    "GET /files",
    "GET /files/{id}",
    "GET /presets",
    "GET /presets/{id}/versions",
  ],
  "GET /outputs/{id}/shares",
  "GET /shares",
  "GET /batches/{id}",
  "GET /conversations",
  "GET /webhooks/deliveries",
  // No column has what was sent.
  "GET /webhooks/deliveries/export",
  "GET /webhooks/deliveries/{id}/notes",
  "GET /webhooks/endpoints/{id}/resends",
  "GET /webhooks/resends/{id}",
  "GET /destinations",
  "GET /destinations/{id}",
  "GET /copies",
  "GET /copies/{id}",
  // `gateway/workspace/conversations/conversations.test.ts` tests this one.
  "GET /conversations/{id}",
];
const readings: Permission[] = [
  ...(["predictions:read", "outputs:share", "conversations:read"] as const),
  ...(["deliveries:read", "events:listen", "copies:read", "uploads:read", "presets:read"] as const),
];

it("tests every route that returns content made by runs", () => {
  const known = new Set([...ways.map(({ route }) => route), ...withoutOutputs]);
  const routes = Object.values(sections).flatMap((routes) =>
    Object.entries(routes as Record<string, { permission?: Permission }>),
  );
  const unknown = routes
    .filter(([name, { permission }]) => name.startsWith("GET") && permission && readings.includes(permission))
    .map(([name]) => name)
    .filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});

it("shows signed events in full, because they go to an endpoint that the account registered", async () => {
  const { body } = await receiver.next(({ body }) => body.includes("prediction.succeeded"));
  expect(JSON.parse(body).data.object).toMatchObject({ gated: null, output: expect.stringMatching(address) });
  const told = await receiver.next(({ body }) => body.includes("response.completed"));
  expect(told.body).toMatch(word);
});

it("hides the content at the next request once the attestation is withdrawn", async () => {
  const person = await gateway.addMember(account, "member");
  await gateway.attest({ ...account, userId: person.userId }, "adult");
  const read = () => text(person.session, "GET", `/predictions/${made.prediction}`);
  expect(await read()).toMatch(address);
  await send(person.session, "DELETE", "/account/attestations/adult");
  expect(await read()).not.toMatch(address);
});
