import { describe, expect, it } from "vitest";
import { metadataLimits } from "#contract/metadata.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user", content: "Hello" }];

describe("metadata of a request", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const post = (path: string, body: unknown, headers = {}) =>
    call(gateway, account.key, "POST", path, body, headers);
  const read = async (path: string) => (await call(gateway, account.session, "GET", path)).body;
  const rowsOf = async (path: string) => (await read(path)).data as Record<string, unknown>[];
  const chat = (metadata: unknown, headers = {}) =>
    post("/chat/completions", { model: "svc/chat-1", messages, metadata }, headers);

  it("is stored with its log row through every API, and the log can be filtered by it", async () => {
    const acme = { customer: "acme", run: "7" };
    expect((await chat(acme)).status).toBe(200);
    await chat({ run: "8" }, { "x-svc-metadata": '{"customer":"acme","run":"7"}' });
    await chat({ customer: "other" });
    await post("/responses", { model: "svc/chat-1", input: "Hi", metadata: acme });
    const message = { model: "svc/chat-1", max_tokens: 20, messages, metadata: { user_id: "u1" } };
    await post("/messages", message);
    await post(
      "/audio/speech",
      { model: "svc/tts-b-1", input: "Hi" },
      { "x-svc-metadata": '{"customer":"acme"}' },
    );
    // Refused requests can be found by metadata, too.
    await post("/chat/completions", { model: "svc/chat-1", messages: [], metadata: acme });
    await expect.poll(() => rowsOf("/requests?metadata=customer%3Dacme")).toHaveLength(5);
    const found = await rowsOf("/requests?metadata=customer%3Dacme");
    expect(found.map(({ route, status, metadata }) => [route, status, metadata])).toEqual([
      ["/v1/chat/completions", 400, acme],
      ["/v1/audio/speech", 200, { customer: "acme" }],
      ["/v1/responses", 200, acme],
      ["/v1/chat/completions", 200, { customer: "acme", run: "8" }],
      ["/v1/chat/completions", 200, acme],
    ]);
    const narrow = await rowsOf("/requests?metadata=customer%3Dacme&status_class=4xx");
    expect(narrow).toHaveLength(1);
    expect(await rowsOf("/requests?metadata=user_id%3Du1")).toHaveLength(1);
    expect(await rowsOf("/requests?metadata=customer%3Dnobody")).toEqual([]);
  });

  it("is kept with a prediction and sent with its event", async () => {
    const body = { prompt: "a lighthouse", size: "1024x1024", quality: "low", output_format: "jpeg" };
    const done = await post(
      "/images/generations",
      { ...body, model: "svc/img-gen-b", metadata: { customer: "acme" } },
      { prefer: "wait=30" },
    );
    expect(done.body).toMatchObject({ status: "succeeded", metadata: { customer: "acme" } });
    expect(done.body.input).not.toHaveProperty("metadata");
    const other = await post("/models/svc/img-gen-b/predictions", {
      input: body,
      metadata: { customer: "zeta" },
    });
    expect(other.body).toMatchObject({ metadata: { customer: "zeta" } });
    const found = await rowsOf("/predictions?metadata=customer%3Dacme&limit=10");
    expect(found.map(({ id }) => id)).toEqual([done.body.id]);
    const events = gateway.context.database.pool.query("select body from webhook_events");
    const payloads = (await events).rows.map(({ body: text }) => String(text));
    expect(payloads.some((text) => text.includes('"metadata":{"customer":"acme"}'))).toBe(true);
  });

  it.each([
    ["a list", [], "metadata"],
    ["a number", 7, "metadata"],
    ["a value that is no text", { customer: 7 }, "metadata.customer"],
    ["a long value", { a: "x".repeat(metadataLimits.valueLength + 1) }, "metadata.a"],
    ["a long key", { ["x".repeat(metadataLimits.keyLength + 1)]: "a" }, "metadata"],
    ["many keys", Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, "v"])), "metadata"],
  ])("is refused as %s", async (_, metadata, param) => {
    expect((await chat(metadata)).body.error).toMatchObject({ code: "invalid_parameter", param });
  });

  it("is refused in a header that is not JSON; null means none, and no name is special", async () => {
    for (const said of ["customer=acme", '{"customer":"\\u0000"}', '{"\\ud800":"acme"}']) {
      const bad = await chat(undefined, { "x-svc-metadata": said });
      expect(bad.body.error, said).toMatchObject({ code: "invalid_parameter", param: "x-svc-metadata" });
    }
    expect((await chat(null)).status).toBe(200);
    const odd = '{"__proto__":"x","constructor":"y"}';
    expect((await chat(undefined, { "x-svc-metadata": odd })).status).toBe(200);
    await expect.poll(() => rowsOf("/requests?metadata=__proto__%3Dx")).toHaveLength(1);
  });

  it("sums usage by the keys that the account names", async () => {
    const team = await gateway.createAccount();
    const run = (customer: string) =>
      call(gateway, team.key, "POST", "/chat/completions", {
        model: "svc/chat-1",
        messages,
        metadata: { customer, plan: "pro" },
      });
    await run("before");
    const named = await call(gateway, team.session, "PATCH", "/account", { usage_keys: ["customer"] });
    expect(named.body.usage_keys).toEqual(["customer"]);
    const tokens = [];
    for (const customer of ["acme", "acme", "zeta"])
      tokens.push(((await run(customer)).body.usage as { total_tokens: number }).total_tokens);
    const { body } = await call(gateway, team.session, "GET", "/usage/metadata?key=customer");
    expect(body).toMatchObject({
      data: [
        { key: "customer", value: "acme", unit: "token", requests: 2 },
        { value: "zeta", quantity: tokens[2], requests: 1 },
      ],
    });
    expect((body.data as { quantity: number }[])[0]?.quantity).toBe((tokens[0] ?? 0) + (tokens[1] ?? 0));
    const most = await call(gateway, team.session, "GET", "/usage/metadata?limit=1");
    expect(most.body.data).toMatchObject([{ value: "acme" }, { value: null, requests: 1 }]);
    const plan = await call(gateway, team.session, "GET", "/usage/metadata?key=plan");
    expect(plan.body.data).toEqual([]);
    const three = await call(gateway, team.session, "PATCH", "/account", { usage_keys: ["a", "b", "c"] });
    expect(three.status).toBe(400);
  });
});
