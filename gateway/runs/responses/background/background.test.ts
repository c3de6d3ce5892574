import type { ServerResponse } from "node:http";
import OpenAI from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accountStorage,
  responseEvents,
  responseJobs,
  responses,
} from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
type Body = Record<string, unknown> & { id: string; status: string };

function clientOf(gateway: TestGateway, bearer: string) {
  const send = (method: string, path: string, body?: object, headers = {}) =>
    call(gateway, bearer, method, `/responses${path}`, body, headers);
  const ask = async (body: object, headers = {}) =>
    (await send("POST", "", { model, background: true, ...body }, headers)).body as Body;
  const read = async (id: string) => (await send("GET", `/${id}`)).body as Body;
  const ended = async (id: string) => {
    await expect.poll(async () => (await read(id)).status).not.toMatch(/queued|in_progress/);
    return read(id);
  };
  return { send, ask, read, ended };
}

describe("a response in the background", () => {
  let client: ReturnType<typeof clientOf>;
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  beforeAll(async () => {
    client = clientOf(gateway, account.key);
  });

  it("is queued, answered, metered and announced by an event, and can be continued", async () => {
    const { body: endpoint } = await call(gateway, account.key, "POST", "/webhooks/endpoints", {
      url: "https://8.8.8.8/hook",
      events: ["response.completed"],
    });
    const queued = await client.ask({ input: "Say heliotrope.", metadata: { customer: "acme" } });
    expect(queued).toMatchObject({ object: "response", status: "queued", background: true, output: [] });
    const done = await client.ended(queued.id);
    expect(done).toMatchObject({
      id: queued.id,
      status: "completed",
      background: true,
      created_at: queued.created_at,
      metadata: { customer: "acme" },
    });
    expect(JSON.stringify(done.output)).toContain("heliotrope");
    const { body: usage } = await call(gateway, account.key, "GET", "/usage");
    expect(usage.data).toMatchObject([{ model, unit: "token", requests: 1 }]);
    const { body: deliveries } = await call(gateway, account.key, "GET", "/webhooks/deliveries");
    expect(deliveries.data).toMatchObject([{ endpoint_id: endpoint.id, event_type: "response.completed" }]);
    const next = await client.send("POST", "", { model, input: "Again.", previous_response_id: queued.id });
    expect(next.body.status).toBe("completed");
    expect((await client.send("POST", `/${queued.id}/cancel`)).status).toBe(400);
  });

  it("is made once for an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const one = await client.ask({ input: "Say once." }, headers);
    const two = await client.ask({ input: "Say once." }, headers);
    expect(two.id).toBe(one.id);
    await client.ended(one.id);
  });

  it.each([
    [{ store: false }, "store"],
    [{ input: [] }, "input"],
    [{ model: "svc/nothing" }, "model"],
    [{ temperature: 9 }, "temperature"],
  ])("is refused at once: %j", async (body, param) => {
    expect((await client.ask({ input: "x", ...body })).error).toMatchObject({ param });
  });

  it("is deleted together with its waiting work, and only by its own account", async () => {
    const other = await gateway.createAccount();
    const queued = await client.ask({ input: "Say nothing." });
    const stranger = clientOf(gateway, other.key);
    expect((await stranger.send("POST", `/${queued.id}/cancel`)).body.error).toMatchObject({
      code: "response_not_found",
    });
    expect((await client.send("DELETE", `/${queued.id}`)).status).toBe(200);
    await expect.poll(() => gateway.context.database.queries.$count(responseJobs)).toBe(0);
    expect((await client.send("GET", `/${queued.id}`)).status).toBe(404);
  });

  it("counts as storage until all are deleted", async () => {
    const team = await gateway.createAccount();
    const theirs = clientOf(gateway, team.key);
    const made = await Promise.all(Array.from({ length: 12 }, () => theirs.ask({ input: "Say storage." })));
    // Some are deleted while they are settled.
    await Promise.all(made.slice(0, 6).map(({ id }) => theirs.send("DELETE", `/${id}`)));
    for (const { id } of made.slice(6)) await theirs.ended(id);
    const { queries } = gateway.context.database;
    const held = async () => {
      const rows = await queries
        .select({ bytes: responses.storedBytes })
        .from(responses)
        .where(and(eq(responses.accountId, team.accountId), isNull(responses.deletedAt)));
      const [total] = await queries
        .select()
        .from(accountStorage)
        .where(eq(accountStorage.accountId, team.accountId));
      return [rows.length, rows.reduce((sum, { bytes }) => sum + bytes, 0), total?.bytes ?? 0];
    };
    const [count, bytes, counted] = await held();
    expect(count).toBe(6);
    expect(counted).toBe(bytes);
    for (const { id } of made.slice(6)) expect((await theirs.send("DELETE", `/${id}`)).status).toBe(200);
    expect(await held()).toEqual([0, 0, 0]);
  });
});

describe("a response in the background that is answered by an upstream", () => {
  let client: ReturnType<typeof clientOf>;
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: { one: providerAt(upstream) },
      routes: [{ models: [model], provider: "one", upstream_model: "main" }],
    }),
  );
  beforeAll(async () => {
    client = clientOf(mapped.gateway, mapped.account.key);
  });
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  it("uses one of its key's slots, and waits while only the slots for single requests are free", async () => {
    const made = await call(mapped.gateway, mapped.account.session, "POST", "/keys", {
      name: "narrow",
      max_concurrency: 4,
    });
    const narrow = clientOf(mapped.gateway, String(made.body.secret));
    upstream.trouble(/chat/, "silence", 3);
    const running = [];
    for (const input of ["a", "b", "c"]) running.push(await narrow.ask({ input }));
    await expect.poll(() => upstream.seen.length).toBe(3);
    const waiting = await narrow.ask({ input: "d" });
    const { queries } = mapped.gateway.context.database;
    await expect
      .poll(async () => {
        const [job] = await queries.select().from(responseJobs).where(eq(responseJobs.id, waiting.id));
        return job && job.leaseOwner === null && job.nextCheckAt > job.createdAt && job.attempts;
      })
      .toBe(0);
    expect(upstream.seen).toHaveLength(3);
    for (const { id } of [...running, waiting]) await narrow.send("POST", `/${id}/cancel`);
  });

  it("fails with the upstream's error when it may already have started", async () => {
    upstream.trouble(/chat/, { status: 500 }, 2);
    const { id } = await client.ask({ input: "x" });
    const done = await client.ended(id);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_error" } });
    expect(upstream.seen).toHaveLength(2);
  });

  it("is tried again when it certainly did not start", async () => {
    upstream.trouble(/chat/, { status: 503 });
    const { id } = await client.ask({ input: "x" });
    expect(await client.ended(id)).toMatchObject({ status: "completed" });
    expect(upstream.seen).toHaveLength(2);
  });

  it("can be canceled while it runs; its usage so far counts", async () => {
    const asked = upstream.next(/chat/);
    upstream.trouble(/chat/, "silence");
    const { id } = await client.ask({ input: "x" });
    await asked;
    expect(await client.read(id)).toMatchObject({ status: "in_progress" });
    const going = await client.send("POST", "", { model, input: "more", previous_response_id: id });
    expect(going.body.error).toMatchObject({ code: "invalid_parameter", param: "previous_response_id" });
    const canceled = await client.send("POST", `/${id}/cancel`);
    expect(canceled.body).toMatchObject({ id, status: "cancelled" });
    expect(await client.read(id)).toMatchObject({ status: "cancelled" });
    expect((await client.send("POST", `/${id}/cancel`)).body).toMatchObject({ status: "cancelled" });
  });

  it("releases its slot while it is streamed, and ends the stream when it is canceled", async () => {
    const made = await call(mapped.gateway, mapped.account.session, "POST", "/keys", {
      name: "one at a time",
      max_concurrency: 2,
    });
    const narrow = clientOf(mapped.gateway, String(made.body.secret));
    const streams = ["x", "y"].map((input) =>
      fetch(`${mapped.gateway.url}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${made.body.secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input, background: true, stream: true }),
      }).then((answer) => answer.text()),
    );
    const [first] = await Promise.all(streams);
    expect(first).toContain("event: response.completed");

    upstream.seen.length = 0;
    const asked = upstream.next(/chat/);
    upstream.trouble(/chat/, "silence");
    const { id } = await narrow.ask({ input: "z" });
    await asked;
    const followed = narrow.send("GET", `/${id}?stream=true`);
    await narrow.send("POST", `/${id}/cancel`);
    const events = String((await followed).body.text);
    expect(events).toContain("event: response.in_progress");
    expect(events).toMatch(/event: response.incomplete\n.*"status":"cancelled"/);
  });

  it("ends with an unknown outcome when the process that ran it is gone", async () => {
    const { queries } = mapped.gateway.context.database;
    const asked = upstream.next(/chat/);
    upstream.trouble(/chat/, "silence");
    const { id } = await client.ask({ input: "x" });
    await asked;
    // Simulates that its process died: another process has the lease, which has expired.
    const gone = { leaseOwner: "gone", leaseExpiresAt: new Date(0), nextCheckAt: new Date(0) };
    const inHand = await queries.select().from(responseJobs).where(eq(responseJobs.id, id));
    expect(inHand[0]?.dispatchedAt).not.toBeNull();
    const { body } = await client.send("POST", `/${id}/cancel`);
    expect(body.status).toBe("cancelled");
    const again = await client.ask({ input: "y" });
    await client.ended(again.id);
    const row = inHand[0];
    if (!row) throw new Error("no job");
    await queries.insert(responseJobs).values({ ...row, ...gone, id: again.id });
    await expect
      .poll(async () => (await client.read(again.id)).error, { timeout: 10_000 })
      .toMatchObject({ code: "upstream_outcome_unknown" });
    expect(upstream.seen).toHaveLength(2);
  });
});

/** Whether the upstream sends the rest of the answer or breaks the connection. */
type Rest = "written" | "cut";

describe("a response in the background that is streamed", () => {
  let rest: PromiseWithResolvers<Rest>;
  const begin = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    return (delta: object, finish: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(`data: ${JSON.stringify({ id: "chat", choices })}\n\n`);
    };
  };
  const upstream = shared(() =>
    startUpstream(async (_seen, response) => {
      const send = begin(response);
      send({ role: "assistant", content: "" });
      for (const content of ["Blue ", "light "]) send({ content });
      if ((await rest.promise) === "cut") return void response.socket?.resetAndDestroy();
      for (const content of ["scatters ", "most."]) send({ content });
      send({}, "stop");
      response.end("data: [DONE]\n\n");
    }),
  );
  const mapped = shared(() =>
    startMappedGateway({
      providers: { one: providerAt(upstream) },
      routes: [{ models: [model], provider: "one", upstream_model: "main" }],
    }),
  );
  const openai = shared(() => new OpenAI({ baseURL: mapped.gateway.url, apiKey: mapped.account.key }));
  beforeEach(() => {
    rest = Promise.withResolvers<Rest>();
  });

  type Event = OpenAI.Responses.ResponseStreamEvent;
  const textOf = (events: readonly Event[]) =>
    events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
  const start = async () => {
    const asked = { model, input: "Why is the sky blue?", background: true, stream: true } as const;
    const events: Event[] = [];
    let id = "";
    const stream = await openai.responses.create(asked);
    const ended = (async () => {
      for await (const event of stream) {
        if (event.type === "response.created") id = event.response.id;
        events.push(event);
      }
    })();
    await expect.poll(() => textOf(events), { timeout: 10_000 }).toBe("Blue light ");
    return { id, events, ended };
  };

  it("sends each text while the upstream is still writing, and again from any event", async () => {
    const { id, events, ended } = await start();
    const early = events.length;
    const again: Event[] = [];
    const second = await openai.responses.retrieve(id, { stream: true, starting_after: 3 });
    const secondEnded = (async () => {
      for await (const event of second) again.push(event);
    })();
    await expect.poll(() => textOf(again), { timeout: 10_000 }).toBe("Blue light ");
    rest.resolve("written");
    await Promise.all([ended, secondEnded]);
    expect(textOf(events)).toBe("Blue light scatters most.");
    expect(events.length).toBeGreaterThan(early);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    expect(again).toEqual(events.slice(4));
    const last = events.at(-1);
    expect(last).toMatchObject({ type: "response.completed", response: { id, status: "completed" } });
    const replayed: Event[] = [];
    for await (const event of await openai.responses.retrieve(id, { stream: true })) replayed.push(event);
    expect(replayed).toEqual(events);
    const { queries } = mapped.gateway.context.database;
    const [row] = await queries.select().from(responses).where(eq(responses.id, id));
    const [kept] = await queries
      .select({ bytes: sql<number>`sum(octet_length(events::text))::int` })
      .from(responseEvents)
      .where(eq(responseEvents.responseId, id));
    const own =
      Buffer.byteLength(JSON.stringify(row?.input)) + Buffer.byteLength(JSON.stringify(row?.response));
    expect(kept?.bytes).toBeGreaterThan(0);
    expect(row?.storedBytes).toBe(own + (kept?.bytes ?? 0));
    const final = await openai.responses.stream({ response_id: id }).finalResponse();
    expect(final.output_text).toBe("Blue light scatters most.");
  });

  it("ends with the failure after the text so far, which the account pays for", async () => {
    const used = async () => {
      const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/usage?group_by=model");
      return (
        (body.data as unknown as { requests: number; quantity: number }[])[0] ?? { requests: 0, quantity: 0 }
      );
    };
    const before = await used();
    const { id, events, ended } = await start();
    rest.resolve("cut");
    await ended;
    expect(textOf(events)).toBe("Blue light ");
    expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { id, status: "failed" } });
    const after = await used();
    expect(after.requests).toBe(before.requests + 1);
    expect(after.quantity).toBeGreaterThan(before.quantity + "Blue light ".length / 4);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
  });

  it("ends when it is canceled", async () => {
    const { id, events, ended } = await start();
    await openai.responses.cancel(id);
    await ended;
    expect(textOf(events)).toBe("Blue light ");
    expect(events.at(-1)).toMatchObject({ type: "response.incomplete" });
    rest.resolve("cut");
  });
});
