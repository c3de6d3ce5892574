import { describe, expect, it } from "vitest";
import { bookOf, type PriceVersion } from "#gateway/billing/prices/book.ts";
import { startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const price = (more: Partial<PriceVersion>): PriceVersion => ({
  id: "price_1",
  accountId: null,
  model: "svc/chat-1",
  apiType: "chat-completions",
  provider: null,
  region: null,
  components: [
    { kind: "output_token", per: 1_000_000, rate: "10" },
    { kind: "input_token", per: 1_000_000, rate: "1.25" },
    { kind: "input_token", per: 1_000_000, rate: "2.5", when: { context_above: 200_000 } },
  ],
  source: "console",
  effectiveAtMs: 0,
  ...more,
});

describe("the price that an account pays for an operation", () => {
  const ask = async (query = "model=svc/chat-1&api_type=chat-completions") =>
    call(mapped.gateway, mapped.account.key, "GET", `/prices?${query}`);
  const rates = async () => {
    const places = (await ask()).body.places as { components: { rate: string }[] | null }[];
    return places.map(({ components }) => components?.map(({ rate }) => rate) ?? null);
  };
  const inBothRegions = (...rates: string[]) => [rates, rates];
  const use = (versions: PriceVersion[], markups: Parameters<typeof bookOf>[2] = []) =>
    mapped.gateway.context.prices.use(bookOf("USD", versions, markups));

  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        main: {
          protocol: "openai",
          base_url: "http://127.0.0.1:9/v1",
          credentials: { "us-virginia": {}, "us-oregon": {} },
        },
      },
      routes: [{ models: ["svc/chat-1"], provider: "main", upstream_model: "gpt" }],
    }),
  );

  it("is listed for every region, with the price's own order, and is null without a price", async () => {
    use([]);
    expect(await rates()).toEqual([null, null]);
    use([price({})]);
    expect(await rates()).toEqual(inBothRegions("10", "1.25", "2.5"));
    const { body } = await ask();
    expect(JSON.stringify(body)).not.toContain("main");
    expect(body).toMatchObject({ object: "operation_price", currency: "USD" });
  });

  it("has the markup in its rates, unless the account has its own price", async () => {
    const { accountId } = mapped.account;
    const markup = { id: "mkp_1", accountId, percent: "20", effectiveAtMs: 0 };
    use([price({})], [markup]);
    expect(await rates()).toEqual(inBothRegions("12", "1.5", "3"));
    use(
      [
        price({}),
        price({ id: "price_2", accountId, components: [{ kind: "output_token", per: 1, rate: "7" }] }),
      ],
      [markup],
    );
    expect(await rates()).toEqual(inBothRegions("7"));
  });

  it("is listed for all operations that the key may run", async () => {
    use([price({})]);
    const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/prices/models");
    const all = body.data as { model: string; api_type: string }[];
    expect(all.find(({ model }) => model === "svc/chat-1")).toEqual((await ask()).body);
    expect(all.filter(({ model }) => model === "svc/img-gen-a-1").map(({ api_type }) => api_type)).toEqual([
      "image-generation",
      "image-editing",
    ]);
    const wish = { name: "narrow", kind: "personal", models: ["svc/chat-1"] };
    const { body: narrow } = await call(mapped.gateway, mapped.account.session, "POST", "/keys", wish);
    const { body: own } = await call(mapped.gateway, String(narrow.secret), "GET", "/prices/models");
    expect((own.data as { model: string }[]).map(({ model }) => model)).toEqual(["svc/chat-1"]);
  });

  it("costs nothing on the sandbox, and is an error for an unknown model", async () => {
    const { body } = await ask("model=svc/chat-2&api_type=chat-completions");
    expect(body.places).not.toEqual([]);
    for (const place of body.places as { sandbox: boolean }[]) expect(place.sandbox).toBe(true);
    expect((await ask("model=svc/none&api_type=chat-completions")).status).toBe(404);
    expect((await ask("model=svc/chat-1&api_type=painting")).status).toBe(400);
  });
});
