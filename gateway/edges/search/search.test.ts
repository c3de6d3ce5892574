import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { SearchAnswer } from "#contract/search.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

let prediction: string;

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  const post = async (path: string, body: unknown) => {
    const made = await call(gateway, account.session, "POST", path, body);
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    return made.body;
  };
  const video = { model: "svc/vid-r2v", api_type: "video-generation" };
  await post("/webhooks/endpoints", {
    url: "https://example.com/hooks",
    description: "Shop: Lighthouse orders",
  });
  await post("/presets", { name: "Lighthouse at dusk", ...video, input: { prompt: "a pine", duration: 5 } });
  const asked = { parent: null, message: { role: "user", content: "Who lives there?" } };
  const contents = { system: "", settings: {}, messages: [asked], current: 0, second_current: null };
  await post("/conversations", { name: "Keepers of a lighthouse", model: "svc/chat-1", contents });
  await post("/keys", { name: "lighthouse backend", scopes: ["inference"] });
  await post("/aliases", { name: "lighthouse-best", models: ["svc/vid-r2v"] });
  await post("/uploads", { filename: "Lighthouse-01.png", content_type: "image/png", size_bytes: 10 });
  prediction = newId("prediction");
  await gateway.context.database.pool.query(
    `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, completed_at, input)
     values ($1, $2, 'svc/img-gen-a-1', 'image-generation', 'us-virginia', 'failed', now(), now(),
       jsonb_build_object('prompt', repeat('far away ', 40) || 'stands a LIGHTHOUSE by the sea' || repeat(' and so on', 40)))`,
    [prediction, account.accountId],
  );
});

async function search(q: string, bearer = account.session, more = ""): Promise<SearchAnswer> {
  const answer = await call(gateway, bearer, "GET", `/search?q=${encodeURIComponent(q)}${more}`);
  expect(answer.status).toBe(200);
  return answer.body as unknown as SearchAnswer;
}
/** On a busy machine a search may run out of time, so it is repeated until its answer is complete. */
const find = (...asked: Parameters<typeof search>) =>
  vi.waitFor(async () => {
    const answer = await search(...asked);
    expect(answer.partial).toEqual([]);
    return answer;
  });
const kindsOf = ({ groups }: SearchAnswer) => groups.map(({ kind }) => kind);

describe("a search", () => {
  it("finds each kind of resource by a word in any case, with its latest event", async () => {
    const answer = await find("LightHOUSE");
    const found = answer.groups.map(({ kind, data }) => [
      kind,
      data[0]?.name,
      data[0]?.about,
      data[0]?.state,
    ]);
    expect(found).toEqual([
      ["endpoint", "Shop: Lighthouse orders", "https://example.com/hooks", null],
      ["preset", "Lighthouse at dusk", "svc/vid-r2v", "changed"],
      ["conversation", "Keepers of a lighthouse", "svc/chat-1", "changed"],
      ["key", "lighthouse backend", expect.stringContaining("svc_live_"), "unused"],
      ["alias", "lighthouse-best", "svc/vid-r2v", "changed"],
      ["upload", "Lighthouse-01.png", "image/png", "pending"],
      [
        "prediction",
        expect.stringMatching(/^….+stands a LIGHTHOUSE by the sea.*…$/),
        "svc/img-gen-a-1",
        "failed",
      ],
    ]);
  });

  it("finds words in any order, and parts of words", async () => {
    expect(kindsOf(await find("dusk light"))).toEqual(["preset"]);
    expect(kindsOf(await find("order example.com"))).toEqual(["endpoint"]);
    expect(kindsOf(await find("dusk light nowhere"))).toEqual([]);
    expect(kindsOf(await find("   "))).toEqual([]);
  });

  it("returns names with the words as whole words first, and only those for words in quotes", async () => {
    for (const n of [17, 217, 171, 1700, 317, 417, 517])
      await call(gateway, account.session, "POST", "/webhooks/endpoints", {
        url: `https://example.com/c${n}`,
        description: `Customer ${n}`,
      });
    const names = ({ groups }: SearchAnswer) =>
      groups.filter(({ kind }) => kind === "endpoint").flatMap(({ data }) => data.map(({ name }) => name));
    const [first, ...others] = names(await find("customer 17"));
    expect(first).toBe("Customer 17");
    expect(others).toHaveLength(4);
    expect(names(await find('"customer 17"'))).toEqual(["Customer 17"]);
    expect(names(await find('customer "17"'))).toEqual(["Customer 17"]);
  });

  it("ignores accents", async () => {
    await call(gateway, account.session, "POST", "/keys", { name: "Møller & Söhne, Łódź" });
    await call(gateway, account.session, "POST", "/aliases", { name: "cafe-1", models: ["svc/chat-1"] });
    for (const text of ["moller", "MØLLER", "Sohne lodz", "łódź"])
      expect((await find(text)).groups, text).toMatchObject([
        { kind: "key", data: [{ name: "Møller & Söhne, Łódź" }] },
      ]);
    expect(kindsOf(await find("café-1"))).toEqual(["alias"]);
  });

  it("finds the pairs of metadata by words of their keys and values, the last used first", async () => {
    const customers = ["Acme North", "Acme", "Zenith", "Acme"];
    for (const metadata of [...customers.map((customer) => ({ customer, order: "4" })), null])
      await gateway.context.database.pool.query(
        `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, metadata)
         values ($1, $2, 'svc/img-gen-a-1', 'image-generation', 'us-virginia', 'succeeded', now(), $3)`,
        [newId("prediction"), account.accountId, JSON.stringify(metadata)],
      );
    expect((await find("acme")).groups).toMatchObject([
      {
        kind: "metadata",
        data: [
          { id: "customer=Acme", name: "customer=Acme", about: "2 predictions" },
          { id: "customer=Acme North", about: "1 prediction" },
        ],
      },
    ]);
    expect(kindsOf(await find("customer zenith"))).toEqual(["metadata"]);
    for (const [customer, runId] of [
      ["Acme", null],
      ["Acme", newId("prediction")],
      ["Yonder", "gen_01k8mmrun000000000000000a"],
    ])
      await gateway.context.database.pool.query(
        `insert into request_logs (id, account_id, at, method, route, status, duration_ms, run_id, metadata)
         values ($1, $2, now(), 'POST', '/v1/chat/completions', 200, 1, $3, $4)`,
        [newId("request"), account.accountId, runId, JSON.stringify({ customer })],
      );
    expect((await find("acme")).groups[0]?.data[0]).toMatchObject({ about: "2 predictions, 1 request" });
    expect((await find("yonder")).groups).toMatchObject([
      { kind: "metadata", data: [{ id: "customer=Yonder", about: "1 request" }] },
    ]);
    const billing = await gateway.addMember(account, "billing");
    expect(kindsOf(await find("acme", billing.session))).toEqual([]);
  });

  it("finds an object by its id, and by the end of an id that a page shows", async () => {
    expect(kindsOf(await find(prediction))).toEqual(["prediction"]);
    expect(kindsOf(await find(prediction.slice(-6).toUpperCase()))).toEqual(["prediction"]);
  });

  it("treats a percent sign, an underscore and a quote as plain characters", async () => {
    for (const text of ["%", "lighthouse%dusk", "_ighthouse", "light'house", "\\"])
      expect(kindsOf(await find(text)), text).toEqual([]);
  });

  it("finds a prediction only by its id once its input was removed", async () => {
    const id = newId("prediction");
    await gateway.context.database.pool.query(
      `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, input)
       values ($1, $2, 'svc/img-gen-a-1', 'image-generation', 'us-virginia', 'succeeded', now(), null)`,
      [id, account.accountId],
    );
    const [group] = (await find(id)).groups;
    expect(group?.data).toMatchObject([{ id, name: "svc/img-gen-a-1", about: null }]);
  });

  it("returns as many rows of a group as requested, and reports when there are more", async () => {
    for (const name of ["Harbour one", "Harbour two", "Harbour three"])
      await call(gateway, account.session, "POST", "/keys", { name });
    const [group] = (await find("harbour", account.session, "&limit=2")).groups;
    expect([group?.kind, group?.data.length, group?.has_more]).toEqual(["key", 2, true]);
    const refused = await call(gateway, account.session, "GET", `/search?q=${"x".repeat(201)}`);
    expect(refused.body.error).toMatchObject({ code: "invalid_parameter", param: "q" });
  });

  it("finds nothing of another account", async () => {
    const other = await gateway.createAccount();
    expect(kindsOf(await find("lighthouse", other.session))).toEqual([]);
    expect(kindsOf(await find(prediction, other.session))).toEqual([]);
  });

  it("shows each group only to those who may read it", async () => {
    const viewer = await gateway.addMember(account, "viewer");
    expect(kindsOf(await find("lighthouse", viewer.session))).toEqual([
      "endpoint",
      "preset",
      "conversation",
      "alias",
      "upload",
      "prediction",
    ]);
    const billing = await gateway.addMember(account, "billing");
    expect(kindsOf(await find("lighthouse", billing.session))).toEqual([]);
    const uploads = await gateway.createKey(account.accountId, { scopes: ["uploads"] });
    expect(kindsOf(await find("lighthouse", uploads))).toEqual(["upload"]);
    // A member sees only their own keys, as in the list.
    const member = await gateway.addMember(account, "member");
    expect(kindsOf(await find("lighthouse backend", member.session))).toEqual([]);
    await call(gateway, member.session, "POST", "/keys", { name: "foghorn" });
    expect(kindsOf(await find("foghorn", member.session))).toEqual(["key"]);
  });

  it("finds members by e-mail address only for callers who may see addresses", async () => {
    const { userId } = await gateway.addMember(account, "viewer");
    const { rows } = await gateway.context.database.pool.query("select email from users where id = $1", [
      userId,
    ]);
    const email = String(rows[0].email);
    expect((await find(email)).groups).toMatchObject([
      { kind: "member", data: [{ id: userId, about: email, state: "viewer" }] },
    ]);
    const member = await gateway.addMember(account, "member");
    expect(kindsOf(await find(email, member.session))).toEqual([]);
    expect((await find(userId, member.session)).groups).toMatchObject([
      { data: [{ id: userId, about: null }] },
    ]);
  });

  it("finds batches and comparisons in groups of their own", async () => {
    const ids = { table: newId("batch"), comparison: newId("batch") };
    for (const [kind, id] of Object.entries(ids))
      await gateway.context.database.pool.query(
        `insert into batches (id, account_id, name, kind, model, api_type, status, concurrency, columns, billing_unit, deadline_at)
         values ($1, $2, 'Pier at night', $3, 'svc/img-gen-a-1', 'image-generation', 'finished', 4, '[]', 'generation', now())`,
        [id, account.accountId, kind],
      );
    expect((await find("pier")).groups).toMatchObject([
      { kind: "batch", data: [{ id: ids.table, kind: "batch" }] },
      { kind: "comparison", data: [{ id: ids.comparison, kind: "comparison" }] },
    ]);
  });

  it("finds models for everybody, and providers for operators", async () => {
    expect(kindsOf(await find("vid-r2v generation"))).toEqual(["model"]);
    expect(kindsOf(await find("sandbox"))).not.toContain("provider");
  });

  it("answers in time with the results so far, and names the groups that it could not finish", async () => {
    const { pool } = gateway.context.database;
    const holder = await pool.connect();
    try {
      await holder.query("begin; lock table presets in access exclusive mode");
      await vi.waitFor(async () => {
        const before = performance.now();
        const answer = await search("lighthouse");
        expect(answer.partial).toEqual(["preset"]);
        expect(kindsOf(answer)).toEqual(["endpoint", "conversation", "key", "alias", "upload", "prediction"]);
        expect(performance.now() - before).toBeLessThan(3_000);
      });
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    expect(kindsOf(await find("lighthouse"))).toContain("preset");
  });
});
