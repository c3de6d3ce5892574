import { beforeAll, describe, expect, it } from "vitest";
import type { ActivityList } from "#contract/activity.ts";
import type { OperatorPromptCacheList } from "#contract/operator/usage.ts";
import type { PromptCacheList, UsageList } from "#contract/usage.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

process.env.CACHE_USAGE_KEY_A = "sk-cache-usage-a";
process.env.CACHE_USAGE_KEY_B = "sk-cache-usage-b";
const keys = ["a", "b"].map((name) => ({ name, env: `CACHE_USAGE_KEY_${name.toUpperCase()}` }));
const [priced, free] = ["svc/chat-1", "svc/chat-2"];

describe("the use of providers' caches", () => {
  const upstream = shared(() =>
    startUpstream((seen, response) => {
      // A caller's first message is the usage that it wants.
      const [message] = seen.json().messages as { content: string }[];
      const [read, cached, written] = (message?.content ?? "").split(" ").map(Number);
      sendJson(response, {
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
        usage: {
          ...{ prompt_tokens: read, completion_tokens: 10, total_tokens: Number(read) + 10 },
          prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
        },
      });
    }),
  );
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        many: providerAt(upstream, { credentials: { "us-virginia": { keys } } }),
        one: providerAt(upstream),
      },
      routes: [
        { models: [priced, free], provider: "many", upstream_model: "m" },
        { models: [priced], provider: "one", upstream_model: "m", priority: 1 },
      ],
    }),
  );
  let service: string;
  let member: { session: string };

  beforeAll(async () => {
    const { gateway, account } = mapped;
    const operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
    const rates = {
      input_token: "1",
      cached_input_token: "0.1",
      cache_write_token: "1.25",
      output_token: "3",
    };
    const components = Object.entries(rates).map(([kind, rate]) => ({ kind, per: 1_000, rate }));
    const price = { model: priced, api_type: "chat-completions", currency: "USD", components };
    expect(await call(gateway, operator, "POST", "/operator/prices", price)).toMatchObject({ status: 201 });
    const markup = { account_id: account.accountId, percent: "100" };
    expect(await call(gateway, operator, "POST", "/operator/markups", markup)).toMatchObject({ status: 201 });
    service = await gateway.createKey(account.accountId, { kind: "service" });
    member = await gateway.addMember(account, "member");
    for (const [bearer, model, usage, provider = "many"] of [
      [service, priced, "1000 800 0"],
      [service, priced, "1000 0 400"],
      [service, free, "500 100 0"],
      [account.session, priced, "2000 2000 0", "one"],
      [member.session, priced, "300 0 0"],
    ] as const) {
      const body = { model, messages: [{ role: "user", content: usage }], provider: { only: [provider] } };
      expect(await call(gateway, bearer, "POST", "/chat/completions", body)).toMatchObject({ status: 200 });
    }
  });

  const get = async (path: string, bearer = mapped.account.session) => {
    const { status, body } = await call(mapped.gateway, bearer, "GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as unknown;
  };
  const read = async (query: string, bearer?: string) =>
    (await get(`/usage/cache?${query}`, bearer)) as PromptCacheList;
  const saved = (amount: string | null, not_priced = 0) => ({ amount, currency: "USD", not_priced });

  it("is summed by model, with what it saved of the charge; what is not priced stays so", async () => {
    const { data, total } = await read("");
    expect(data).toEqual([
      // 800 and 2000 read for a tenth, 400 written for a quarter more, all with the markup.
      {
        ...{ model: priced, input_tokens: 4_300, cached_tokens: 2_800, requests: 4 },
        saved: saved("4.84"),
      },
      { model: free, input_tokens: 500, cached_tokens: 100, requests: 1, saved: saved(null, 1) },
    ]);
    expect(total).toEqual({
      ...{ input_tokens: 4_800, cached_tokens: 2_900, requests: 5 },
      saved: saved("4.84", 1),
    });
  });

  it("is summed by provider, the provider's key and the caller's key, and each adds up to the same", async () => {
    const byProvider = await read("group_by=provider");
    expect(byProvider.data).toMatchObject([
      { provider: "many", input_tokens: 2_800, cached_tokens: 900, saved: saved("1.24", 1) },
      { provider: "one", input_tokens: 2_000, cached_tokens: 2_000, saved: saved("3.6") },
    ]);
    const byKey = await read("group_by=upstream_key");
    const ofMany = byKey.data.filter(({ provider }) => provider === "many");
    expect(ofMany.map(({ upstream_key }) => upstream_key).filter((name) => name === null)).toEqual([]);
    expect(ofMany.reduce((sum, row) => sum + row.input_tokens, 0)).toBe(2_800);
    expect(byKey.data).toContainEqual(expect.objectContaining({ provider: "one", upstream_key: null }));
    const byCaller = await read("group_by=key");
    expect(byCaller.data).toMatchObject([
      { key_id: expect.stringMatching(/^key_/), input_tokens: 2_500, cached_tokens: 900 },
      { key_id: null, input_tokens: 2_300, cached_tokens: 2_000 },
    ]);
    const { total } = await read("");
    for (const list of [byProvider, byKey, byCaller]) expect(list.total).toEqual(total);
  });

  it("is summed over all accounts for operators, with what it saved of the cost", async () => {
    const bearer = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const ofAll = async (query: string) =>
      (await get(`/operator/usage/cache?${query}`, bearer)) as OperatorPromptCacheList;
    const { data, total } = await ofAll("group_by=account");
    expect(data).toMatchObject([
      { account_id: mapped.account.accountId, account_name: expect.any(String), cached_tokens: 2_900 },
    ]);
    const own = await read("");
    expect(total).toEqual({ ...own.total, saved: saved("2.42", 1) });
    const byModel = await ofAll(`account_id=${mapped.account.accountId}&provider=one`);
    expect(byModel.data).toMatchObject([{ model: priced, input_tokens: 2_000, cached_tokens: 2_000 }]);
    expect((await ofAll("account_id=acct_none")).data).toEqual([]);
  });

  it("agrees with usage", async () => {
    const { data, total } = (await get("/usage?group_by=model,kind")) as UsageList;
    const cache = await read("");
    expect(cache.total.requests).toBe(total.requests);
    for (const row of cache.data) {
      const of = (...kinds: string[]) =>
        data
          .filter(({ model, kind = "" }) => model === row.model && kinds.includes(kind))
          .reduce((sum, { quantity }) => sum + quantity, 0);
      expect(row.cached_tokens).toBe(of("cached_input_token"));
      expect(row.input_tokens).toBe(of("input_token", "cached_input_token", "cache_write_token"));
    }
  });

  it.each(["", "&group_by=provider", "&group_by=key"])("is the same in activity%s", async (query) => {
    const { total } = await read("");
    await expect
      .poll(async () => ((await get(`/activity?step=day${query}`)) as ActivityList).total)
      .toMatchObject({ tokens_in: total.input_tokens, tokens_cached: total.cached_tokens });
    const { groups } = (await get(`/activity?step=day${query}`)) as ActivityList;
    const sum = groups.reduce((all, { tokens_cached: cached }) => all + (cached ?? 0), 0);
    if (query) expect(sum).toBe(total.cached_tokens);
  });

  it("can be filtered, and members see only their own", async () => {
    expect((await read(`model=${free}&provider=many`)).data).toMatchObject([{ model: free }]);
    expect((await read("from=2000-01-01&to=2000-01-02")).total.input_tokens).toBe(0);
    expect((await read("", member.session)).total.input_tokens).toBe(300);
  });
});
