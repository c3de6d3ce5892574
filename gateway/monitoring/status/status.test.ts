import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Incident, Status } from "#contract/status.ts";
import { incidentBounds } from "#contract/status-constants.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { figureFoldSweep } from "#gateway/platform/figures/fold.ts";
import { addFigures, countRun, countTry, FigureSums } from "#gateway/platform/figures/sums.ts";
import { shared } from "#gateway/testing/fixture.ts";

import { call, refusal, type TestAccount } from "#gateway/testing/gateway.ts";

const dayMs = 86_400_000;
const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const own = { template: { model: "svc/chat-1", api_type: "chat-completions" }, regions: ["us-virginia"] };

let operator: string;
let stranger: TestAccount;
const upstream = shared(startOpenAiServer);
const mapped = shared(() =>
  startMappedGateway(
    {
      providers: {
        only: providerAt(upstream),
      },
      routes: [{ models: ["svc/chat-1"], provider: "only", upstream_model: "m" }],
    },
    { publicStatus: true },
  ),
);
beforeAll(async () => {
  operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
  stranger = await mapped.gateway.createAccount();
  const made = await send(operator, "POST", "/operator/models", {
    ...own,
    id: "acme/secret",
    accounts: [mapped.account.accountId],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});

const send = (bearer: string | null, method: string, path: string, body?: unknown) =>
  call(mapped.gateway, bearer, method, path, body);
const read = async (bearer: string | null, path = "/status") =>
  (await send(bearer, "GET", path)).body as unknown as Status;
const modelOf = (status: Status, id: string) => status.models.find(({ model }) => model === id);
const write = async (more: object = {}) =>
  send(operator, "POST", "/operator/incidents", {
    title: "Chats are slow",
    impact: "minor",
    text: "We look into it.",
    ...more,
  });

describe("the status of models and regions", () => {
  beforeAll(async () => {
    const { database } = mapped.gateway.context;
    const runs = async (ago: number, model: string, status: number, code: string, count: number) => {
      const sums = new FigureSums();
      const at = clock.now() - ago * dayMs;
      const of = {
        accountId: stranger.accountId,
        model,
        provider: "only",
        region: "us-virginia",
        status,
        code,
      };
      countRun(sums, { ...of, kind: "answer", operation: "POST /chat/completions", keyId: "key" }, at, count);
      for (let one = 0; one < count; one += 1) countTry(sums, of, at);
      await addFigures(database.queries, sums);
    };
    await runs(2, "svc/chat-1", 200, "", 90);
    await runs(2, "svc/chat-1", 502, "upstream_error", 10);
    await runs(2, "svc/chat-1", 400, "invalid_parameter", 50);
    await runs(2, "svc/chat-1", 499, "", 50);
    await runs(2, "acme/secret", 502, "upstream_error", 100);
    await runs(1, "svc/chat-1", 200, "upstream_stream_interrupted", 1);
    await runs(1, "svc/chat-1", 200, "", 2);
    await runs(40, "svc/chat-1", 500, "internal_error", 500);
    await sweepAll(mapped.gateway.context, figureFoldSweep);
    expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    // The request log is written every half second.
    await vi.waitFor(
      async () => {
        const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/activity");
        expect((body.total as { runs: number }).runs).toBe(1);
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  it("reports the share of runs that succeeded each day, without failures that the caller caused", async () => {
    const status = await read(stranger.session);
    const model = modelOf(status, "svc/chat-1");
    expect(model?.days).toHaveLength(30);
    expect(model?.days.map(({ share }) => share).slice(-4)).toEqual([null, 0.9, 0.6, 1]);
    expect(model?.days.at(-1)?.day).toBe(new Date(clock.now()).toISOString().slice(0, 10));
    expect(model?.share).toBe(0.894);
    expect(modelOf(status, "svc/tts-1")?.share ?? null).toBeNull();
    expect(JSON.stringify(status)).not.toMatch(/runs|count|acct_/);
  });

  it("reports the share for each region, from the models that the caller may see", async () => {
    const virginia = async (bearer: string | null, path?: string) =>
      (await read(bearer, path)).regions.find(({ region }) => region === "us-virginia");
    expect((await virginia(stranger.session))?.days.at(-3)?.share).toBe(0.9);
    expect((await virginia(null, "/public/status"))?.days.at(-3)?.share).toBe(0.9);
    expect((await virginia(mapped.account.session))?.days.at(-3)?.share).toBe(0.45);
  });

  it("shows each caller only the models that they may see", async () => {
    expect(modelOf(await read(mapped.account.key), "acme/secret")?.days.at(-3)?.share).toBe(0);
    for (const status of [await read(stranger.session), await read(null, "/public/status")])
      expect(JSON.stringify(status)).not.toContain("acme/secret");
  });

  it("reports the current state from the circuit breakers", async () => {
    expect(modelOf(await read(null, "/public/status"), "svc/chat-1")?.state).toBe("operational");
    upstream.trouble(/chat/, { status: 500, json: { error: { message: "Internal" } } }, 10);
    for (let times = 0; times < 5; times += 1) await mapped.post("/chat/completions", chat);
    const status = await read(null, "/public/status");
    expect(modelOf(status, "svc/chat-1")?.state).not.toBe("operational");
    expect(status.state).toBe("degraded");
  });

  it("is a public page only if the operator enables it", async () => {
    const { config } = mapped.gateway.context;
    config.publicStatus = false;
    expect(await send(null, "GET", "/public/status")).toMatchObject(refusal(404, "route_not_found"));
    config.publicStatus = true;
    const answer = await send(null, "GET", "/public/status");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "public, max-age=15"]);
    expect(await send(null, "GET", "/status")).toMatchObject(refusal(401, "missing_api_key"));
  });
});

describe("incidents", () => {
  it("are written, updated, resolved and opened again, each with an audit row", async () => {
    const { status, body } = await write({ models: ["svc/chat-1"], regions: ["us-virginia"] });
    expect([status, body.status, body.resolved_at]).toEqual([201, "investigating", null]);
    const path = `/operator/incidents/${body.id}`;
    const shown = async () => (await read(stranger.session)).incidents.find(({ id }) => id === body.id);
    expect(await shown()).toEqual(body);
    const go = async (to: string, text: string) =>
      (await send(operator, "POST", `${path}/updates`, { status: to, text })).body as unknown as Incident;
    expect((await go("identified", "A cable.")).updates.map(({ text }) => text)).toEqual([
      "A cable.",
      "We look into it.",
    ]);
    expect(await go("resolved", "Done.")).toMatchObject({
      status: "resolved",
      resolved_at: expect.any(String),
    });
    expect(await shown()).toMatchObject({ status: "resolved" });
    expect(await go("monitoring", "Not quite.")).toMatchObject({ resolved_at: null });
    expect(
      (await send(operator, "PATCH", path, { impact: "major", title: " Chats fail " })).body,
    ).toMatchObject({
      impact: "major",
      title: "Chats fail",
      models: ["svc/chat-1"],
    });
    expect((await send(operator, "GET", "/operator/incidents")).body.data).toMatchObject([{ id: body.id }]);
    expect((await send(operator, "DELETE", path)).body).toMatchObject({ id: body.id, deleted: true });
    expect(await shown()).toBeUndefined();
    expect(await send(operator, "DELETE", path)).toMatchObject(refusal(404, "incident_not_found"));
    expect(await send(operator, "POST", `${path}/updates`, { status: "resolved", text: "x" })).toMatchObject(
      refusal(404, "incident_not_found"),
    );
    const audit = await send(mapped.account.session, "GET", "/audit_logs?limit=6");
    expect(
      (audit.body.data as { action: string; target_id: string }[]).map((row) => [row.action, row.target_id]),
    ).toEqual(
      ["deleted", "updated"]
        .map((done) => [`incident.${done}`, body.id])
        .concat(
          Array.from({ length: 3 }, () => ["incident_update.created", body.id]),
          [["incident.created", body.id]],
        ),
    );
  });

  it("about a model are not shown to callers who may not see it, and never name it", async () => {
    const hidden = await write({ title: "Of one", models: ["acme/secret"] });
    const both = await write({ title: "Of two", models: ["acme/secret", "svc/chat-1"] });
    const seen = async (bearer: string) =>
      (await read(bearer)).incidents.map(({ title, models }) => [title, models]);
    expect(await seen(mapped.account.session)).toEqual([
      ["Of two", ["acme/secret", "svc/chat-1"]],
      ["Of one", ["acme/secret"]],
    ]);
    expect(await seen(stranger.session)).toEqual([["Of two", ["svc/chat-1"]]]);
    for (const { body } of [hidden, both]) await send(operator, "DELETE", `/operator/incidents/${body.id}`);
  });

  it("are refused when they are contradictory", async () => {
    for (const [more, param] of [
      [{ models: ["no/such"] }, "models[0]"],
      [{ models: ["__proto__"] }, "models[0]"],
      [{ regions: ["mars"] }, "regions[0]"],
      [{ impact: "huge" }, "impact"],
      [{ status: "over" }, "status"],
      [{ title: "  " }, "title"],
      [{ title: "x".repeat(201) }, "title"],
      [{ text: "x".repeat(2_001) }, "text"],
      [{ started_at: "2020-01-01T00:00:00Z" }, "started_at"],
      [{ started_at: "soon" }, "started_at"],
      [{ colour: "red" }, "colour"],
    ] as const) {
      const { status, body } = await write(more);
      expect([JSON.stringify(more).slice(0, 60), status, (body.error as { param?: string }).param]).toEqual([
        JSON.stringify(more).slice(0, 60),
        400,
        param,
      ]);
    }
    expect(await send(stranger.session, "POST", "/operator/incidents", {})).toMatchObject(
      refusal(403, "operator_required"),
    );
  });

  it("are limited to what a page can show, even when they are created at the same time", async () => {
    const written = await Promise.all(Array.from({ length: incidentBounds.open + 4 }, () => write()));
    const made = written.filter(({ status }) => status === 201);
    expect(made).toHaveLength(incidentBounds.open);
    expect(written.find(({ status }) => status !== 201)).toMatchObject(refusal(409, "too_many_incidents"));
    const updates = `/operator/incidents/${made[0]?.body.id}/updates`;
    const added = await Promise.all(
      Array.from({ length: incidentBounds.updates }, () =>
        send(operator, "POST", updates, { status: "monitoring", text: "Still." }),
      ),
    );
    expect(added.filter(({ status }) => status === 201)).toHaveLength(incidentBounds.updates - 1);
    expect(added.find(({ status }) => status !== 201)).toMatchObject(
      refusal(409, "too_many_incident_updates"),
    );
    for (const { body } of made) await send(operator, "DELETE", `/operator/incidents/${body.id}`);
  });
});
