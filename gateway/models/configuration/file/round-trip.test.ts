import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { goOnReasons } from "#contract/alias-constants.ts";
import { regionNames } from "#contract/catalog-constants.ts";
import type { ProvidersFileExport } from "#contract/operator/file.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const runs = 12;

const templates = ownEntries
  .load()
  .flatMap(({ id, operations }) => operations.map(({ api_type }) => ({ model: id, api_type })));
const set = {
  display_name: fc.option(fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" }), {
    nil: undefined,
  }),
  hidden: fc.option(fc.boolean(), { nil: undefined }),
};
const gates = fc.record(
  {
    adult_attestation_required: fc.boolean(),
    portrait_rights_attestation_required: fc.boolean(),
  },
  { requiredKeys: [] },
);
const ownModel = fc.record({
  template: fc.constantFrom(...templates),
  ...set,
  description: fc.option(fc.string({ maxLength: 30, unit: "grapheme-ascii" }), { nil: undefined }),
  cover_url: fc.option(fc.constant("https://pictures.example/cover.png"), { nil: undefined }),
  safety_requirements: fc.option(gates, { nil: undefined }),
  /** The fields of a changed schema, in the order of the form. */
  fields: fc.uniqueArray(fc.constantFrom("zebra", "apple", "10", "2", "style"), { maxLength: 4 }),
});
const provider = fc.record({
  protocol: fc.constantFrom("openai", "dashscope", "replicate", "fal"),
  address: fc.constantFrom("https://up.example/v1", "http://10.1.2.3:8000/v1"),
  allow_private: fc.boolean(),
  preset: fc.option(fc.constantFrom("custom", "vllm"), { nil: null }),
  regions: fc.uniqueArray(fc.constantFrom(...regionNames), { minLength: 1, maxLength: 3 }),
  hasKey: fc.boolean(),
  settings: fc.record({ output_origins: fc.constant(["http://10.0.0.5:9000"]) }, { requiredKeys: [] }),
});
const instance = fc.record({
  providers: fc.array(provider, { minLength: 1, maxLength: 3 }),
  models: fc.array(ownModel, { maxLength: 3 }),
  specified: fc.array(
    fc.record({ id: fc.constantFrom("svc/chat-1", "svc/img-gen-b"), ...set, ofSomeAccounts: fc.boolean() }),
    { maxLength: 2 },
  ),
  weight: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
  alias: fc.option(
    fc.record(
      {
        models: fc.uniqueArray(fc.constantFrom("svc/chat-1", "svc/chat-2"), { minLength: 1 }),
        go_on_when: fc.uniqueArray(fc.constantFrom(...goOnReasons)),
        continue_streams: fc.constant(true),
      },
      { requiredKeys: ["models"] },
    ),
    { nil: undefined },
  ),
  prices: fc.uniqueArray(
    fc.record({
      model: fc.constantFrom("svc/chat-2", "acme/m0"),
      api_type: fc.constant("chat-completions"),
      region: fc.option(fc.constantFrom(...regionNames), { nil: undefined }),
      components: fc.constantFrom([], [{ kind: "output_token", per: 1_000_000, rate: "0.30" }]),
    }),
    { maxLength: 3, selector: ({ model, region }) => `${model} ${region}` },
  ),
});

describe("a configuration that is exported to a file and imported again", () => {
  let here: TestGateway;
  let there: TestGateway;
  let keys: Map<TestGateway, string>;
  let accountId: string;
  beforeAll(async () => {
    [here, there] = await Promise.all([startTestGateway({ role: "api" }), startTestGateway({ role: "api" })]);
    keys = new Map();
    for (const gateway of [here, there]) {
      const account = await gateway.createAccount();
      if (gateway === here) accountId = account.accountId;
      keys.set(gateway, await gateway.createKey(account.accountId, { scopes: ["operator", "keys"] }));
    }
  });
  afterAll(() => Promise.all([here.close(), there.close()]));
  beforeEach(() => Promise.all([emptied(here), emptied(there)]));

  async function emptied({ context }: TestGateway): Promise<void> {
    await context.database.queries.execute(
      sql`truncate provider_connections, routes, own_models, own_model_revisions, model_settings, configuration_changes, aliases, prices`,
    );
    await context.database.queries.execute(sql`update configuration set revision = revision + 1`);
    await context.configuration.refresh();
  }
  const ask = async (gateway: TestGateway, method: string, path: string, body?: object) =>
    call(gateway, keys.get(gateway) ?? "", method, `/operator/${path}`, body);
  const taken = async (gateway: TestGateway, method: string, path: string, body?: object) => {
    const answer = await ask(gateway, method, path, body);
    expect(answer.body.error).toBeUndefined();
    return answer.body;
  };
  const exported = async (gateway: TestGateway) =>
    (await taken(gateway, "GET", "file")) as unknown as ProvidersFileExport;
  const keysOf = ({ environment }: ProvidersFileExport) =>
    Object.fromEntries(environment.map(({ name }) => [name, "sk-given-at-the-import"]));
  /** The catalog that an operator sees, without its live fields. */
  const modelsOf = async (gateway: TestGateway) =>
    ((await taken(gateway, "GET", "models")).data as Record<string, unknown>[]).map(
      ({ created_at: _, updated_at: __, revision: ___, ...model }) => model,
    );

  async function configure({ providers, models, specified, weight, alias, prices }: Instance): Promise<void> {
    for (const price of prices) await taken(here, "POST", "prices", plain(price));
    for (const [index, { address, regions, hasKey, ...one }] of providers.entries()) {
      const isPrivate = address.startsWith("http:");
      await taken(here, "POST", "providers", {
        ...one,
        // These names would get the same variable.
        name: `up${"- ."[index]}stream`,
        base_url: address,
        allow_private: one.allow_private || isPrivate,
        credentials: Object.fromEntries(
          regions.map((region) => [region, hasKey ? { key: "sk-never-in-a-file" } : {}]),
        ),
      });
    }
    for (const [index, { fields, ...model }] of models.entries()) {
      const id = `acme/m${index}`;
      const made = await taken(here, "POST", "models", { id, ...plain(model) });
      const [operation] = made.operations as { input_schema: { properties: object; required: string[] } }[];
      if (fields.length > 0 && operation)
        await taken(here, "PATCH", `models/${id}`, {
          input_schema: {
            ...operation.input_schema,
            properties: {
              ...operation.input_schema.properties,
              ...Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
            },
          },
        });
    }
    for (const { id, ofSomeAccounts, ...settings } of specified)
      await taken(here, "PATCH", `models/${id}`, {
        ...plain(settings),
        accounts: ofSomeAccounts ? [accountId] : null,
      });
    if (alias && !specified.some(({ ofSomeAccounts }) => ofSomeAccounts)) {
      const made = await call(here, keys.get(here) ?? "", "POST", "/aliases", {
        name: "fast",
        for_everyone: true,
        ...plain(alias),
      });
      expect(made.body.error).toBeUndefined();
    }
    const known = await modelsOf(here);
    const candidates = known
      .filter(({ id }) => String(id).startsWith("acme/") || id === "svc/chat-2")
      .flatMap(({ id }) =>
        providers.map((_, index) => ({
          models: [id],
          provider: `up${"- ."[index]}stream`,
          upstream_model: "theirs",
          ...(weight !== undefined && { weight }),
          fields: { rename: { seed: "random_seed" } },
        })),
      );
    for (const route of candidates) {
      const table = (await taken(here, "GET", "routes")).data as { id: string }[];
      const kept = table.map((one) => ({ ...plainRoute(one) }));
      await ask(here, "PUT", "routes", { routes: [...kept, route] });
    }
  }

  it("recreates the same configuration from any file, and exports the same file again", {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(instance, async (wanted) => {
        await Promise.all([emptied(here), emptied(there)]);
        await configure(wanted);
        const first = await exported(here);
        expect(JSON.stringify(first)).not.toContain("sk-never-in-a-file");
        await taken(there, "POST", "file", { file: first.file, keys: keysOf(first) });
        const second = await exported(there);
        expect(second.file).toEqual(first.file);
        // The order of fields is kept, too, because forms follow it.
        expect(JSON.stringify(second.file.models)).toBe(JSON.stringify(first.file.models));
        expect(await modelsOf(there)).toEqual(expect.arrayContaining(await modelsOf(here)));
      }),
      { numRuns: runs },
    );
  });
});

type Instance = typeof instance extends fc.Arbitrary<infer One> ? One : never;

function plain(given: object): object {
  return JSON.parse(JSON.stringify(given));
}

/** A route as it is sent, without the fields that the table adds. */
function plainRoute(route: Record<string, unknown>): object {
  const { object: _, managed_by: __, problem: ___, serves: ____, overruled: _____, ...entry } = route;
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}
