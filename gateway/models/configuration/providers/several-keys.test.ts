import { expect, it } from "vitest";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const [one, two, three] = [
  "sk-one-of-several-keys-0001",
  "sk-two-of-several-keys-0002",
  "sk-three-of-several-0003",
];
const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const upstream = shared(startOpenAiServer);

const region = "us-virginia";
const ask = (method: string, path: string, body?: unknown) =>
  call(gateway, account.session, method, `/operator${path}`, body);
const setKeys = (id: string, keys: object[]) =>
  ask("PATCH", `/providers/${id}`, { credentials: { [region]: { keys } } });
const keysOf = ({ credentials }: OperatorProvider) => credentials[0]?.keys;

it("a second key is added, gets its share, is tested and removed; no key is ever returned", async () => {
  const { body: made } = await ask("POST", "/providers", {
    name: "Several",
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { [region]: { key: one } },
    allow_private: true,
  });
  const provider = made as unknown as OperatorProvider;
  expect(keysOf(provider)).toEqual([
    { name: "main", has_key: true, key_hint: "0001", ref: null, ref_permitted: null, set_aside: null },
  ]);

  const added = await setKeys(provider.id, [
    { name: "main", share: 3 },
    { name: "Spare", key: two, share: 0, per_minute: 60, concurrency: 4 },
  ]);
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  expect(keysOf(added.body as unknown as OperatorProvider)).toMatchObject([
    { name: "main", share: 3, key_hint: "0001" },
    { name: "Spare", share: 0, per_minute: 60, concurrency: 4, key_hint: "0002" },
  ]);

  upstream.trouble(/models/, { status: 401, json: { error: { message: "bad key" } } });
  const { body: tested } = await ask("POST", `/providers/${provider.id}/test`);
  expect(tested).toMatchObject({ ok: false, message: expect.stringContaining(", key ") });
  expect((tested.regions as { key: string; ok: boolean }[]).map(({ key }) => key)).toEqual(["main", "Spare"]);

  const left = await setKeys(provider.id, [{ name: "Spare" }]);
  expect(keysOf(left.body as unknown as OperatorProvider)).toMatchObject([
    { name: "Spare", key_hint: "0002" },
  ]);
  const { body: changes } = await ask("GET", "/changes");
  const [change] = changes.data as { id: string }[];
  const undone = await ask("POST", `/changes/${change?.id}/undo`);
  expect(undone.status).toBe(200);
  const { body: now } = await ask("GET", `/providers/${provider.id}`);
  expect(keysOf(now as unknown as OperatorProvider)).toHaveLength(2);

  const { rows } = await gateway.context.database.pool.query(
    "select (select json_agg(c) from provider_connections c)::text as stored, (select json_agg(a) from audit_logs a)::text as log",
  );
  const everywhere = JSON.stringify([made, added.body, tested, now, rows, gateway.logLines]);
  for (const key of [one, two]) expect(everywhere).not.toContain(key);
});

it("contradictory keys are refused, and nothing changes", async () => {
  const { body: list } = await ask("GET", "/providers");
  const [provider] = list.data as OperatorProvider[];
  if (!provider) throw new Error("no provider");
  const refused = async (keys: object[]) => {
    const { status, body } = await setKeys(provider.id, keys);
    expect(status).toBe(400);
    return String((body.error as { message: string }).message);
  };
  expect(await refused([{ name: "main" }, { name: "MAIN", key: three }])).toContain(
    "same name as another key",
  );
  expect(await refused([{ name: "new" }])).toContain("not stored yet");
  expect(await refused([{ name: "new", key: three, ref: "env:GATEHOUSE_KEY_X" }])).toContain(
    "both key and ref",
  );
  await refused([{ name: "new", key: three, weight: 3 }]);
  await refused([{ name: "new", key: three, share: -1 }]);
  await refused([]);
  await refused(Array.from({ length: 17 }, (_, at) => ({ name: `key ${at}`, key: three })));
  // A stored key must not be sent to another server.
  const moved = await ask("PATCH", `/providers/${provider.id}`, {
    base_url: "https://api.example.com/v1",
    credentials: { [region]: { keys: [{ name: "main" }, { name: "new", key: three }] } },
  });
  expect(moved.body.error).toMatchObject({ param: "credentials", message: expect.stringContaining("again") });
  const { body: after } = await ask("GET", `/providers/${provider.id}`);
  expect(after).toEqual(provider);
});

it("an export names a variable for each key, and its import requires each", async () => {
  const { body } = await ask("GET", "/file");
  const file = body.file as { providers: Record<string, { credentials: object }> };
  expect(file.providers.Several?.credentials).toEqual({
    [region]: {
      keys: [
        { name: "main", share: 3, env: "SEVERAL_KEY" },
        { name: "Spare", share: 0, per_minute: 60, concurrency: 4, env: "SEVERAL_KEY_2" },
      ],
    },
  });
  const elsewhere = { ...file, providers: { Elsewhere: file.providers.Several }, routes: [] };
  const missing = await ask("POST", "/file", { file: elsewhere, dry_run: true });
  expect(missing.body.missing_keys).toMatchObject([{ name: "SEVERAL_KEY" }, { name: "SEVERAL_KEY_2" }]);
  const keys = { SEVERAL_KEY: one, SEVERAL_KEY_2: two };
  expect((await ask("POST", "/file", { file: elsewhere, keys })).status).toBeLessThan(300);
  const { body: made } = await ask("GET", "/providers/Elsewhere");
  expect(keysOf(made as unknown as OperatorProvider)).toMatchObject([
    { name: "main", share: 3, key_hint: "0001" },
    { name: "Spare", per_minute: 60, key_hint: "0002" },
  ]);
});
