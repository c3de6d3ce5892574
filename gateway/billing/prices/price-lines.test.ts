import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { bookOf, type MarkupVersion, type PriceVersion } from "./book.ts";
import { type CountedLine, maxCost, priceLines, type RunFacts } from "./price-lines.ts";

const noon = Date.parse("2026-11-24T12:00:00Z");
const run: RunFacts = {
  accountId: "acct_1",
  model: "acme/chat",
  apiType: "chat-completions",
  provider: "openai",
  region: "us-virginia",
  admittedAtMs: noon,
  sandbox: false,
};

function version(components: PriceComponent[] | null, over: Partial<PriceVersion> = {}): PriceVersion {
  return {
    id: "price_1",
    accountId: null,
    model: run.model,
    apiType: run.apiType,
    provider: null,
    region: null,
    components,
    source: "console",
    effectiveAtMs: noon - 1_000,
    ...over,
  };
}

const perMillion = (kind: PriceComponent["kind"], rate: string, when?: PriceComponent["when"]) =>
  ({ kind, per: 1_000_000, rate, ...(when && { when }) }) satisfies PriceComponent;
const line = (priceKind: CountedLine["priceKind"], quantity: number, facts: CountedLine["facts"] = null) =>
  ({ priceKind, quantity, facts }) satisfies CountedLine;
const textOf = (amount: { amount: bigint } | null | undefined) => amount && decimalText(amount.amount);

function costs(
  versions: PriceVersion[],
  lines: CountedLine[],
  of: Partial<RunFacts> = {},
  markups: MarkupVersion[] = [],
) {
  const { cost, charge, reason } = priceLines(bookOf("USD", versions, markups), { ...run, ...of }, lines);
  return { cost: textOf(cost), charge: textOf(charge), reason };
}

const chat = version([perMillion("input_token", "2.50"), perMillion("output_token", "10")]);
const said = [line("input_token", 1_000), line("output_token", 200)];

describe("the lines of a run", () => {
  it("are priced by component, each kind at its own rate", () => {
    expect(costs([chat], said)).toEqual({ cost: "0.0045", charge: "0.0045", reason: null });
  });

  it("use the rate of all input or output tokens for a kind of token without a rate, such as cached tokens", () => {
    const lines = [
      line("cached_input_token", 1_000),
      line("cache_write_token", 1_000),
      line("reasoning_token", 100),
    ];
    expect(costs([chat], lines).cost).toBe("0.006");
    const own = version([...(chat.components ?? []), perMillion("cached_input_token", "0.25")]);
    expect(costs([own], lines).cost).toBe("0.00375");
  });

  it("have no price if one of them has no rate, because a partial cost would look complete", () => {
    expect(costs([chat], [...said, line("search", 1)])).toEqual({
      cost: null,
      charge: null,
      reason: "not_priced",
    });
    expect(costs([], said)).toEqual({ cost: null, charge: null, reason: "not_priced" });
    expect(costs([version([])], said).reason).toBe("not_priced");
    expect(costs([chat], said, { model: "acme/other" }).reason).toBe("not_priced");
  });

  it("cost nothing on the sandbox, and are marked as such", () => {
    expect(costs([chat], said, { sandbox: true })).toEqual({ cost: "0", charge: "0", reason: "sandbox" });
  });

  it("use the rate with the most matching conditions, then the highest threshold", () => {
    const video = version([
      { kind: "second", per: 1, rate: "0.05" },
      { kind: "second", per: 1, rate: "0.10", when: { resolution: "1080p" } },
      { kind: "second", per: 1, rate: "0.20", when: { resolution: "1080p", audio: true } },
      { kind: "second", per: 1, rate: "0.04", when: { duration_above: 10 } },
      { kind: "second", per: 1, rate: "0.03", when: { duration_above: 60 } },
    ]);
    const second = (quantity: number, facts: CountedLine["facts"]) =>
      costs([video], [line("second", quantity, facts)]).cost;
    expect([
      second(5, {}),
      second(5, { resolution: "1080P" }),
      second(5, { resolution: "1080P", audio: false }),
      second(5, { resolution: "1080P", audio: true }),
      second(20, { durationSeconds: 20 }),
      second(100, { durationSeconds: 100 }),
    ]).toEqual(["0.25", "0.5", "0.5", "1", "0.8", "3"]);
    const long = version([
      perMillion("input_token", "1.25"),
      perMillion("input_token", "2.50", { context_above: 200_000 }),
    ]);
    const input = (tokens: number) =>
      costs([long], [line("input_token", tokens, { contextTokens: tokens })]).cost;
    expect([input(200_000), input(200_001)]).toEqual(["0.25", "0.5000025"]);
  });

  it("use the most specific price: provider and region, provider, region, none", () => {
    const at = (id: string, rate: string, place: Partial<PriceVersion>) =>
      version([perMillion("input_token", rate)], { id, ...place });
    const all = [
      at("price_a", "1", {}),
      at("price_b", "2", { region: "us-virginia" }),
      at("price_c", "3", { provider: "openai" }),
      at("price_d", "4", { provider: "openai", region: "us-virginia" }),
      at("price_e", "9", { provider: "other" }),
    ];
    const million = [line("input_token", 1_000_000)];
    expect(
      [4, 3, 2, 1].map(
        (count) =>
          costs(
            all.filter((_, index) => index < count || index === 4),
            million,
          ).cost,
      ),
    ).toEqual(["4", "3", "2", "1"]);
  });

  it("keep the price of their admission before and after midnight", () => {
    const midnight = Date.parse("2026-11-25T00:00:00Z");
    const next = version([perMillion("input_token", "5"), perMillion("output_token", "20")], {
      id: "price_2",
      effectiveAtMs: midnight,
    });
    const at = (admittedAtMs: number) => costs([next, chat], said, { admittedAtMs }).cost;
    expect([at(midnight - 1), at(midnight), at(midnight + 1)]).toEqual(["0.0045", "0.009", "0.009"]);
    expect(at(chat.effectiveAtMs - 1)).toBeNull();
  });

  it("use the file's price before the console's, until the file drops it", () => {
    const ofFile = version([perMillion("input_token", "1"), perMillion("output_token", "1")], {
      id: "price_0",
      source: "file",
    });
    const gone = version(null, { id: "price_3", source: "file", effectiveAtMs: noon + 5 });
    expect(costs([chat, ofFile, gone], said).cost).toBe("0.0012");
    expect(costs([chat, ofFile, gone], said, { admittedAtMs: noon + 5 }).cost).toBe("0.0045");
  });

  it("are charged with the account's markup or own price, otherwise with the general markup", () => {
    const markup = (id: string, accountId: string | null, percent: string, effectiveAtMs = 0) =>
      ({ id, accountId, percent, effectiveAtMs }) satisfies MarkupVersion;
    const everyone = markup("mkp_1", null, "10");
    expect(costs([chat], said, {}, [everyone])).toEqual({ cost: "0.0045", charge: "0.00495", reason: null });
    expect(costs([chat], said, {}, [everyone, markup("mkp_2", "acct_1", "100")]).charge).toBe("0.009");
    expect(costs([chat], said, {}, [everyone, markup("mkp_2", "acct_1", "100", noon + 1)]).charge).toBe(
      "0.00495",
    );
    const own = version([perMillion("input_token", "1"), perMillion("output_token", "1")], {
      id: "price_9",
      accountId: "acct_1",
    });
    expect(costs([chat, own], said, {}, [everyone])).toEqual({
      cost: "0.0045",
      charge: "0.0012",
      reason: null,
    });
    expect(costs([own], said)).toEqual({ cost: null, charge: "0.0012", reason: null });
    expect(costs([chat, own], said, { accountId: "acct_2" }).charge).toBe("0.0045");
  });

  it("keep their price when the provider is renamed", () => {
    const price = version([perMillion("input_token", "1")], { provider: "old name" });
    const book = bookOf("USD", [price], [], new Map([["old name", "new name"]]));
    for (const provider of ["old name", "new name"])
      expect(textOf(priceLines(book, { ...run, provider }, [line("input_token", 1_000_000)]).cost)).toBe("1");
  });

  it("add up to the run, to the last digit, for any prices and quantities", () => {
    const rates = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((value) => decimalText(value));
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            rate: rates,
            per: fc.integer({ min: 1, max: 1_000_000 }),
            quantity: fc.double({ min: 0, max: 1e9, noNaN: true }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        fc.integer({ min: -100, max: 900 }),
        (parts, percent) => {
          const kinds = ["input_token", "output_token", "second", "image"] as const;
          const components = parts.map(({ rate, per }, at) => ({ kind: kinds[at] ?? "image", rate, per }));
          const lines = parts.map(({ quantity }, at) => line(kinds[at] ?? "image", quantity));
          const markups = [{ id: "mkp_1", accountId: null, percent: String(percent), effectiveAtMs: 0 }];
          const { cost, charge } = priceLines(bookOf("USD", [version(components)], markups), run, lines);
          for (const side of [cost, charge])
            expect(side?.lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(side?.amount);
        },
      ),
    );
  });
});

describe("the most that a run can cost", () => {
  const places = [{ provider: "openai", region: "us-virginia", sandbox: false }];
  const most = (versions: PriceVersion[], lines: Parameters<typeof maxCost>[2], at = places) => {
    const found = maxCost(bookOf("USD", versions, []), { ...run, places: at }, lines);
    return found.charge === null ? null : decimalText(found.charge);
  };

  it("uses the most expensive rate that may apply", () => {
    const video = version([
      { kind: "second", per: 1, rate: "0.05" },
      { kind: "second", per: 1, rate: "0.10", when: { resolution: "1080p" } },
    ]);
    const seconds = (facts: object) => most([video], [{ kinds: ["second"], quantity: 10, facts }]);
    expect([seconds({}), seconds({ resolution: "720p" }), seconds({ resolution: "1080p" })]).toEqual([
      "1",
      "0.5",
      "1",
    ]);
  });

  it("is the cost at the most expensive provider and region, and unknown if one has no price", () => {
    const other = version([perMillion("input_token", "5")], { id: "price_2", provider: "other" });
    const input = [{ kinds: ["input_token", "cache_write_token"] as const, quantity: 1_000_000, facts: {} }];
    const two = [...places, { provider: "other", region: "us-virginia", sandbox: false }];
    expect([most([chat, other], input), most([chat, other], input, two), most([other], input, two)]).toEqual([
      "2.5",
      "5",
      null,
    ]);
    expect(most([], input, [{ provider: "sandbox", region: "us-virginia", sandbox: true }])).toBe("0");
  });

  it("is never below the run's final cost", () => {
    const rate = fc.bigInt({ min: 0n, max: 10n ** 13n }).map((value) => decimalText(value));
    fc.assert(
      fc.property(
        rate,
        rate,
        rate,
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        (input, cached, long, read, some) => {
          const price = version([
            perMillion("input_token", input),
            perMillion("cached_input_token", cached),
            perMillion("input_token", long, { context_above: 200_000 }),
          ]);
          const hit = Math.min(read, some);
          const facts = { contextTokens: read };
          const book = bookOf("USD", [price], []);
          const real = priceLines(book, run, [
            line("input_token", read - hit, facts),
            line("cached_input_token", hit, facts),
          ]);
          const bound = maxCost(book, { ...run, places }, [
            { kinds: ["input_token", "cached_input_token", "cache_write_token"], quantity: read, facts },
          ]);
          // Each of the two lines may be rounded up once.
          expect((real.charge?.amount ?? 0n) <= (bound.charge ?? 0n) + 1n).toBe(true);
        },
      ),
    );
  });
});

describe("a price book with many versions", () => {
  const count = 20_000;
  /**
   * It takes a few hundred milliseconds on a busy machine; sorting after each version took ten seconds and
   * more.
   */
  const maxCpuMs = 1_500;
  const many = (of: (at: number) => Partial<PriceVersion>) =>
    Array.from({ length: count }, (_, at) =>
      version(chat.components && [...chat.components], {
        id: `price_${String(at).padStart(6, "0")}`,
        effectiveAtMs: noon - count + at,
        ...of(at),
      }),
    );
  const markups = Array.from({ length: count }, (_, at) => ({
    id: `mkp_${String(at).padStart(6, "0")}`,
    accountId: null,
    percent: "10",
    effectiveAtMs: noon - at,
  }));

  it.each([
    ["of one scope", many(() => ({})), []],
    ["of one scope, which begin together", many(() => ({ effectiveAtMs: noon - 1 })), []],
    ["of the file", many(() => ({ source: "file" })), []],
    ["of as many providers", many((at) => ({ provider: `provider ${at}` })), []],
    ["of as many accounts", many((at) => ({ accountId: `acct_${at}` })), []],
    ["of a markup", [chat], markups],
  ] as [string, PriceVersion[], MarkupVersion[]][])(
    "%s is read in linear time",
    (_name, versions, percents) => {
      const before = process.cpuUsage();
      const book = bookOf("USD", versions, percents);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(maxCpuMs);
      const place = { ...run, provider: versions.at(-1)?.provider ?? run.provider };
      const price =
        book.ownPrice(versions.at(-1)?.accountId ?? "", place, noon) ?? book.costPrice(place, noon);
      expect(price?.id).toBe(versions.at(-1)?.id);
      expect(book.markup(run.accountId, noon)?.id).toBe(percents[0]?.id);
    },
  );
});
