import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProvidersFileExport } from "#contract/operator/file.ts";
import { writeProvidersFile } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const route = { models: ["svc/chat-2"], provider: "their", upstream_model: "m", weight: 2 };
const file = {
  providers: {
    their: {
      protocol: "openai",
      base_url: "https://up.example/v1",
      credentials: { "us-virginia": { env: "GATEHOUSE_KEY_TEST_FILE" } },
    },
  },
  routes: [route],
};

describe("the console's part as a providers file, and back", () => {
  let gateway: TestGateway;
  let key: string;
  let accountId: string;
  beforeAll(async () => {
    process.env.GATEHOUSE_KEY_TEST_FILE = "the-key-of-the-file";
    gateway = await startTestGateway({ role: "api" });
    ({ accountId } = await gateway.createAccount());
    key = await gateway.createKey(accountId, { scopes: ["operator"] });
  });
  afterAll(() => gateway.close());
  const ask = (method: string, path: string, body?: object) =>
    call(gateway, key, method, `/operator/${path}`, body);

  it("imports a file, refuses all of an invalid one, and exports the same without keys", async () => {
    const wrong = { ...file, routes: [route, { ...route, models: ["svc/none"] }] };
    const refused = await ask("POST", "file", { file: wrong });
    expect(refused.body.error).toMatchObject({
      code: "invalid_parameter",
      message: expect.stringContaining('routes[1].models[0] is "svc/none"'),
    });
    expect((await ask("GET", "providers")).body.data).toEqual([]);

    expect((await ask("POST", "file", { file })).body).toMatchObject({
      created: ["their"],
      kept: [],
      routes: 1,
    });
    const sealed = { key: "sk-sealed-and-never-told" };
    await ask("POST", "providers", {
      name: "Own",
      protocol: "openai",
      base_url: "https://own.example/v1",
      credentials: { "us-virginia": sealed },
    });
    const exported = (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    expect(exported.file).toEqual({
      providers: {
        ...file.providers,
        Own: {
          protocol: "openai",
          base_url: "https://own.example/v1",
          credentials: { "us-virginia": { env: "OWN_KEY" } },
        },
      },
      routes: [route],
    });
    expect(exported.environment).toEqual([
      { name: "OWN_KEY", provider: "Own", region: "us-virginia" },
      { name: "GATEHOUSE_KEY_TEST_FILE", provider: "their", region: "us-virginia" },
    ]);
    expect(JSON.stringify(exported)).not.toContain("sealed-and-never-told");
    expect(JSON.stringify(exported)).not.toContain("the-key-of-the-file");
  });

  it("exports as much as can be imported again: beyond a million bytes, up to a stated number of prices", async () => {
    const { queries } = gateway.context.database;
    const components = ["input_token", "output_token", "cached_input_token"].map((kind) => ({
      ...{ kind, unit: "token", per: 1_000_000, rate: "1.25" },
    }));
    const fill = (upTo: number) =>
      queries.execute(sql`
        insert into prices (id, model, api_type, components, source, effective_at, created_at)
        select 'price_many_' || n, 'acme/model-with-a-long-name-' || n, 'chat-completions',
          ${JSON.stringify(components)}::jsonb, 'console', now(), now()
        from generate_series(1, ${upTo}::int) n on conflict do nothing`);
    const exported = async () => (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    await fill(9_000);
    const { file: large, notes } = await exported();
    expect(JSON.stringify(large).length).toBeGreaterThan(2_000_000);
    expect([(large.prices as object[]).length, notes]).toEqual([9_000, []]);
    const again = await ask("POST", "file", { file: large, existing: "set", dry_run: true });
    expect(again.body).toMatchObject({ problems: [], prices: 0, prices_kept: 9_000 });

    await fill(20_000);
    const cut = await exported();
    const kept = (cut.file.prices as object[]).length;
    expect(cut.notes).toEqual([expect.stringContaining(`${20_000 - kept} of 20000 prices are left out`)]);
    expect((await ask("POST", "file", { file: cut.file, dry_run: true })).status).toBe(200);
    const more = {
      ...cut.file,
      prices: [...(cut.file.prices as object[]), ...(cut.file.prices as object[])],
    };
    expect((await ask("POST", "file", { file: more, dry_run: true })).status).toBe(413);
    await queries.execute(sql`delete from prices where id like 'price_many_%'`);
  });

  it("previews an import, accepts keys for it, and undoes it as one change", async () => {
    const lab = { ...file.providers.their, base_url: "http://10.1.2.3/v1" };
    const credentials = { "us-virginia": { env: "TEST_KEY_NOT_SET" } };
    const more = {
      providers: { ...file.providers, their: { ...lab, credentials }, lab: { ...lab, credentials } },
      routes: [route, { ...route, provider: "lab" }],
    };
    const before = [(await ask("GET", "providers")).body.data, (await ask("GET", "routes")).body.data];
    const preview = (await ask("POST", "file", { file: more, dry_run: true })).body;
    expect(preview).toMatchObject({
      created: ["lab"],
      kept: ["their"],
      routes: 1,
      routes_kept: 1,
      missing_keys: [{ name: "TEST_KEY_NOT_SET", provider: "lab", region: "us-virginia" }],
      problems: [],
      notes: ["their is different in the file. The import does not change it here."],
    });
    expect((await ask("POST", "file", { file: more })).body.error).toMatchObject({ param: "keys" });

    const requested = { file: more, keys: { TEST_KEY_NOT_SET: "sk-typed-at-the-import" } };
    const willBe = (await ask("POST", "file", { ...requested, dry_run: true })).body;
    expect(willBe).toMatchObject({ created: ["lab"], missing_keys: [] });
    expect(JSON.stringify(willBe.notes)).toContain("lab has a private or unencrypted address");
    expect([(await ask("GET", "providers")).body.data, (await ask("GET", "routes")).body.data]).toEqual(
      before,
    );

    expect((await ask("POST", "file", requested)).body).toEqual(willBe);
    expect((await ask("GET", "providers/lab")).body).toMatchObject({
      allow_private: true,
      credentials: [{ has_key: true, ref: null }],
    });
    const [change] = (await ask("GET", "changes")).body.data as { id: string; action: string }[];
    expect(change).toMatchObject({ action: "configuration.imported", undoable: true });
    expect(JSON.stringify(change)).not.toContain("sk-typed");
    const undone = (await ask("POST", `changes/${change?.id}/undo`)).body;
    expect(undone).toMatchObject({ action: "configuration.import_undone", undoable: true });
    expect([(await ask("GET", "providers")).body.data, (await ask("GET", "routes")).body.data]).toEqual(
      before,
    );
    await ask("POST", `changes/${undone.id}/undo`);
    expect((await ask("GET", "providers/lab")).body).toMatchObject({ status: "active", problem: null });
    await ask("DELETE", "providers/lab");
    await ask("PUT", "routes", { routes: [route] });
  });

  it("imports custom models too, and removes them when the import is undone", async () => {
    const made = {
      id: "acme/talk",
      title: "Talk",
      template: { model: "svc/chat-2", api_type: "chat-completions" },
      accounts: [accountId],
      safety_requirements: { adult_attestation_required: true },
    };
    await ask("POST", "models", made);
    await ask("PATCH", "models/svc/chat-1", { display_name: "The first" });
    await ask("PUT", "routes", { routes: [{ ...route, models: ["acme/talk"] }] });
    const exported = (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    process.env.OWN_KEY = "another";
    const other = await startTestGateway({ role: "api" });
    const otherAccount = await other.createAccount();
    const otherKey = await other.createKey(otherAccount.accountId, { scopes: ["operator"] });
    const there = (method: string, path: string, body?: object) =>
      call(other, otherKey, method, `/operator/${path}`, body);
    const models = exported.file.models as Record<string, { entry: { operations: object[] } }>;
    const misspelt = { ...models, "acme/talk": { ...models["acme/talk"], hiden: true } };
    const keys = { OWN_KEY: "sk-of-the-other" };
    const wrongs: [object, string][] = [
      [misspelt, 'models.acme/talk does not know "hiden"'],
      [
        {
          "acme/talk": {
            ...models["acme/talk"],
            entry: {
              ...models["acme/talk"]?.entry,
              operations: [{ ...models["acme/talk"]?.entry.operations[0], engine: "video" }],
            },
          },
        },
        "models.acme/talk: The engine of chat-completions cannot be video.",
      ],
    ];
    for (const [wrong, message] of wrongs)
      expect(
        (await there("POST", "file", { file: { ...exported.file, models: wrong }, keys })).body.error,
      ).toMatchObject({ code: "invalid_parameter", message: expect.stringContaining(message) });
    expect((await there("GET", "providers")).body.data).toEqual([]);

    const imported = (await there("POST", "file", { file: exported.file, keys })).body;
    expect(imported).toMatchObject({
      models: ["acme/talk", "svc/chat-1"],
      notes: [expect.stringContaining(`acme/talk is for accounts that are not here: ${accountId}.`)],
    });
    expect((await there("GET", "models/acme/talk")).body).toMatchObject({
      display_name: "Talk",
      accounts: [accountId],
      safety_requirements: { minimum_age: 18 },
    });
    expect((await there("GET", "routes")).body.data).toMatchObject([
      { serves: [{ model: "acme/talk" }], problem: null },
    ]);
    const [change] = (await there("GET", "changes")).body.data as { id: string }[];
    const undone = (await there("POST", `changes/${change?.id}/undo`)).body;
    expect((await there("GET", "models/acme/talk")).status).toBe(404);
    expect((await there("GET", "models/svc/chat-1")).body.display_name).toBeNull();
    await there("POST", `changes/${undone.id}/undo`);
    expect((await there("GET", "models/acme/talk")).body.display_name).toBe("Talk");
    expect((await there("GET", "routes")).body.data).toMatchObject([{ serves: [{ model: "acme/talk" }] }]);
    await other.close();
    await ask("DELETE", "models/acme/talk");
    await ask("PUT", "routes", { routes: [route] });
  });

  it("leaves out a route whose provider has been deleted, and names it", async () => {
    await ask("POST", "providers", { name: "brief", protocol: "openai", base_url: "https://b.example/v1" });
    await ask("PUT", "routes", { routes: [route, { ...route, provider: "brief" }] });
    await ask("DELETE", "providers/brief");
    expect((await ask("GET", "file")).body).toMatchObject({
      file: { routes: [route] },
      notes: ['The route of svc/chat-2 is left out: provider is "brief", which is not connected.'],
    });
    await ask("PUT", "routes", { routes: [route] });
  });

  it("exports a file that another gateway can start with", async () => {
    const { file: content } = (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    process.env.OWN_KEY = "another";
    const other = await startTestGateway({ role: "api", providersFile: writeProvidersFile(content) });
    expect(other.context.configuration.current.file?.mappings).toHaveLength(1);
    await other.close();
  });

  it("starts despite a route to a missing entry, and reports that in the log and at the route", async () => {
    const gone = { ...route, models: ["svc/chat-2", "acme/gone"] };
    const other = await startTestGateway({
      role: "api",
      providersFile: writeProvidersFile({ ...file, routes: [gone] }),
    });
    const { accountId } = await other.createAccount();
    const otherKey = await other.createKey(accountId, { scopes: ["operator"] });
    const problem = 'models[1] is "acme/gone", which is not in the catalog';
    expect((await call(other, otherKey, "GET", "/operator/routes")).body.data).toMatchObject([
      { id: "file:0", managed_by: "file", problem, serves: [{ model: "svc/chat-2" }] },
    ]);
    const problems = [`routes[0].${problem}`];
    expect(other.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, problems }),
    );
    await other.close();
  });
});
