import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fileLimits } from "#contract/operator/constants.ts";
import { newAccountKey } from "#gateway/access/accounts/keys/format.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { main } from "./main.ts";

const file = {
  providers: {
    their: {
      protocol: "openai",
      base_url: "https://up.example/v1",
      credentials: { "us-virginia": { env: "GATEHOUSE_APPLY_TEST" } },
    },
  },
  routes: [{ models: ["svc/chat-2"], provider: "their", upstream_model: "m" }],
};

let folder: string;
let key: string;
const gateway = shared(() => startTestGateway({ role: "api" }));
const models = shared(() =>
  startUpstream((_, response) =>
    sendJson(response, { data: [{ id: "vendor/small", description: "A small one" }] }),
  ),
);
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "gatehouse-apply-"));
  const { accountId } = await gateway.createAccount();
  key = await gateway.createKey(accountId, { scopes: ["operator", "keys"] });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const applied = async (content: string | object, ...words: string[]) => {
  const name = path.join(folder, "gatehouse.json");
  writeFileSync(name, typeof content === "string" ? content : JSON.stringify(content));
  return printed(["apply", name, "--gateway", gateway.url, "--key", key, ...words]);
};

/** The command's result and everything it prints. */
async function printed(words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
  const code = await main(words);
  log.mockRestore();
  error.mockRestore();
  return { code, said: lines.join("\n") };
}

async function read(path: string): Promise<Record<string, unknown>> {
  return (await call(gateway, key, "GET", `/operator/${path}`)).body;
}

const setRoutes = (...routes: unknown[]) => call(gateway, key, "PUT", "/operator/routes", { routes });

const isSame = { code: 0, said: expect.stringMatching(/\nNothing to change\.$/) };

it("lists its planned additions, requests the missing key, and adds everything once", async () => {
  const missing = await applied(file);
  expect(missing).toMatchObject({
    code: 1,
    said: expect.stringContaining("Run: export GATEHOUSE_APPLY_TEST=…, then this command again"),
  });
  vi.stubEnv("GATEHOUSE_APPLY_TEST", "sk-of-this-machine");
  const dry = await applied(file, "--dry-run");
  expect(dry).toEqual({
    code: 0,
    said: "added     provider their\nadded     route svc/chat-2 by their\nWould be 2 added, 0 changed, 0 unchanged.",
  });
  expect((await read("providers")).data).toEqual([]);
  expect(await applied(file)).toEqual({ code: 0, said: dry.said.replace("Would be ", "") });
  expect((await read("providers")).data).toMatchObject([{ name: "their" }]);
  expect(await applied(file)).toMatchObject(isSame);
});

it("updates the existing configuration to match the file, lists each change first, and is undone as one change", async () => {
  const others = { models: ["svc/chat-1"], provider: "their", upstream_model: "of-others" };
  await setRoutes(others, file.routes[0]);
  await call(gateway, key, "POST", "/operator/models", {
    id: "acme/talk",
    template: { model: "svc/chat-2", api_type: "chat-completions" },
  });
  const { models } = (await read("file")).file as { models: Record<string, { entry: object }> };
  const talk = { ...models["acme/talk"], display_name: "Talk", entry: { ...models["acme/talk"]?.entry } };
  Object.assign(talk.entry, { description: "Says more" });
  const requested = {
    providers: { their: { ...file.providers.their, timeouts_ms: { answer: 5_000 } } },
    routes: [
      { ...file.routes[0], weight: 3 },
      { models: ["acme/talk"], provider: "their", upstream_model: "other" },
    ],
    models: { "acme/talk": talk, "svc/chat-2": { display_name: "The second" } },
  };
  const before = await Promise.all(["providers/their", "models/acme/talk", "routes"].map(read));
  const dry = await applied(requested, "--dry-run");
  expect(dry.said.split("\n")).toEqual([
    "changed   provider their",
    '            timeouts_ms: none → {"answer":5000}',
    "added     model svc/chat-2",
    "changed   model acme/talk",
    expect.stringMatching(/display_name: .* → "Talk"/),
    expect.stringMatching(/description: .* → "Says more"/),
    ...dry.said.split("\n").filter((line) => line.includes("latest_release_at")),
    "changed   route svc/chat-2 by their",
    "            weight: none → 3",
    "added     route acme/talk by their",
    "Would be 2 added, 3 changed, 0 unchanged.",
  ]);
  const known = ({ revision: _, ...rest }: Record<string, unknown>) => rest;
  const same = async () =>
    expect(
      (await Promise.all(["providers/their", "models/acme/talk", "routes"].map(read))).map(known),
    ).toEqual(before.map(known));
  await same();

  expect((await applied(requested)).code).toBe(0);
  expect(await read("providers/their")).toMatchObject({
    settings: { timeouts_ms: { answer: 5_000 } },
    credentials: [{ has_key: true }],
  });
  expect(await read("models/acme/talk")).toMatchObject({ display_name: "Talk", description: "Says more" });
  expect((await read("routes")).data).toMatchObject([
    { upstream_model: "of-others" },
    { upstream_model: "m", weight: 3 },
    { upstream_model: "other" },
  ]);
  expect(await applied(requested)).toMatchObject(isSame);
  expect(await applied(requested, "--dry-run")).toMatchObject(isSame);

  const [change] = (await read("changes")).data as { id: string }[];
  const undone = await call(gateway, key, "POST", `/operator/changes/${change?.id}/undo`);
  expect(undone.status).toBe(200);
  expect((await read("routes")).data).toEqual(before[2]?.data);
  expect((await read("providers/their")).settings).toEqual({});
  await call(gateway, key, "POST", `/operator/changes/${undone.body.id}/undo`);
  expect(await applied(requested)).toMatchObject(isSame);
});

it("replaces a key, keeps one whose variable is not set, and refuses a change that would lose one", async () => {
  await setRoutes(file.routes[0]);
  expect(await applied(file, "--dry-run")).toMatchObject(isSame);
  vi.stubEnv("GATEHOUSE_APPLY_TEST", "sk-a-newer-one-of-this-machine");
  const rotated = await applied(file);
  expect(rotated.said).toContain("the stored key → the key in GATEHOUSE_APPLY_TEST");
  expect(rotated.said).not.toContain("sk-a-newer");
  expect(await applied(file)).toMatchObject(isSame);

  vi.stubEnv("GATEHOUSE_APPLY_TEST", undefined);
  expect(await applied(file)).toMatchObject(isSame);
  const elsewhere = { ...file.providers.their, base_url: "https://elsewhere.example/v1" };
  const moved = await applied({ ...file, providers: { their: elsewhere } });
  expect(moved).toMatchObject({
    code: 1,
    said: expect.stringContaining("Enter the key of us-virginia again"),
  });
  const keyless = { ...file.providers.their, credentials: { "us-virginia": {} } };
  const losing = await applied({ ...file, providers: { their: keyless } });
  expect(losing).toMatchObject({ code: 1, said: expect.stringContaining("would be lost") });
  const other = { ...file.providers.their, protocol: "dashscope" };
  const spoken = await applied({ ...file, providers: { their: other } });
  expect(spoken).toMatchObject({ code: 1, said: expect.stringContaining("Connect it under another name") });
  expect((await read("providers/their")).base_url).toBe("https://up.example/v1");

  vi.stubEnv("GATEHOUSE_APPLY_TEST", "sk-a-newer-one-of-this-machine");
  expect((await applied({ ...file, providers: { their: elsewhere } })).code).toBe(0);
  expect((await read("providers/their")).base_url).toBe(elsewhere.base_url);
  expect((await applied(file)).code).toBe(0);
});

it("brings aliases and prices, names what differs, and undoes them with the rest", async () => {
  await setRoutes(file.routes[0]);
  const price = (rate: string) => ({
    model: "svc/chat-2",
    api_type: "chat-completions",
    components: [{ kind: "input_token", per: 1_000_000, rate }],
  });
  const requested = {
    providers: {},
    routes: [],
    aliases: { "gpt-4o": { models: ["svc/chat-2", "svc/chat-1"], go_on_when: ["busy"] } },
    currency: "USD",
    prices: [price("2.50")],
  };
  const now = async () => {
    const prices = (await call(gateway, key, "GET", "/operator/prices?current=true")).body.data as {
      components: { rate: string }[];
    }[];
    const aliases = (await call(gateway, key, "GET", "/aliases")).body.data as { models: string[] }[];
    return [aliases.map(({ models }) => models), prices.map(({ components }) => components[0]?.rate)];
  };
  const undo = async () => {
    const [change] = (await read("changes")).data as { id: string }[];
    return call(gateway, key, "POST", `/operator/changes/${change?.id}/undo`);
  };
  expect((await applied(requested, "--dry-run")).said).toBe(
    "added     alias gpt-4o\nadded     price svc/chat-2 chat-completions\nWould be 2 added, 0 changed, 0 unchanged.",
  );
  expect(await now()).toEqual([[], []]);
  expect((await applied(requested)).code).toBe(0);
  const first = [[["svc/chat-2", "svc/chat-1"]], ["2.5"]];
  expect(await now()).toEqual(first);
  expect(await applied(requested)).toMatchObject(isSame);
  const { file: exported } = await read("file");
  expect(exported).toMatchObject({
    aliases: requested.aliases,
    currency: "USD",
    prices: [{ components: [{ kind: "input_token", rate: "2.5" }] }],
  });
  expect(await applied({ ...(exported as object), providers: {}, routes: [] })).toMatchObject(isSame);

  const other = {
    ...requested,
    aliases: { "gpt-4o": { models: ["svc/chat-1"] }, later: { models: ["svc/chat-2"] } },
    prices: [price("3")],
  };
  expect((await applied(other)).said.split("\n")).toEqual([
    "added     alias later",
    "changed   alias gpt-4o",
    '            models: ["svc/chat-2","svc/chat-1"] → ["svc/chat-1"]',
    "changed   price svc/chat-2 chat-completions",
    '            input_token: "2.5 per 1000000" → "3 per 1000000"',
    "1 added, 2 changed, 0 unchanged.",
  ]);
  expect(await now()).toEqual([[["svc/chat-1"], ["svc/chat-2"]], ["3"]]);
  expect((await undo()).status).toBe(200);
  expect(await now()).toEqual(first);
  expect((await undo()).status).toBe(200);
  expect(await now()).toEqual([[["svc/chat-1"], ["svc/chat-2"]], ["3"]]);
  const [later] = (
    (await call(gateway, key, "GET", "/aliases")).body.data as { id: string; name: string }[]
  ).filter(({ name }) => name === "later");
  await call(gateway, key, "PATCH", `/aliases/${later?.id}`, { models: ["svc/chat-1"] });
  const refused = await undo();
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: "change_not_undoable", message: expect.stringContaining("The alias later was changed") },
  ]);
  expect((await now())[1]).toEqual(["3"]);

  const wrongs: [object, string][] = [
    [{ aliases: { "svc/chat-1": { models: ["svc/chat-2"] } } }, "is already the name of a model"],
    [{ aliases: { fast: { models: ["svc/none"] } } }, 'models[0] is "svc/none"'],
    [{ aliases: { fast: { models: ["svc/chat-2"], for_everyone: true } } }, 'does not know "for_everyone"'],
    [{ currency: "EUR" }, "Amounts are never converted"],
    [{ prices: [price("1"), price("2")] }, "prices[1] has the same model"],
    [{ prices: [{ ...price("1"), account_id: "acct_1" }] }, 'does not know "account_id"'],
  ];
  for (const [wrong, message] of wrongs)
    expect(await applied({ ...requested, ...wrong })).toMatchObject({
      code: 1,
      said: expect.stringContaining(message),
    });
});

it("sets the order of routes, and the upstream's model of one", async () => {
  const [first, second] = [
    { models: ["svc/chat-1"], provider: "their", upstream_model: "one" },
    { models: ["svc/chat-1"], provider: "their", upstream_model: "two" },
  ];
  await setRoutes(first, file.routes[0], second);
  const upstreams = async () =>
    ((await read("routes")).data as { upstream_model: string }[]).map((one) => one.upstream_model);
  const turned = { providers: {}, routes: [second, first] };
  expect((await applied(turned)).said).toContain("changed   route the order of the routes");
  expect(await upstreams()).toEqual(["two", "m", "one"]);
  expect(await applied(turned)).toMatchObject(isSame);
  const other = await applied({ providers: {}, routes: [{ ...file.routes[0], upstream_model: "m-2" }] });
  expect(other.said).toContain('upstream_model: "m" → "m-2"');
  expect(await upstreams()).toEqual(["two", "m-2", "one"]);
  const beside = await applied({
    providers: {},
    routes: [{ ...file.routes[0], upstream_model: "m-2", regions: ["us-virginia"] }],
  });
  expect(beside.said).toContain("note      A route of svc/chat-2 to their is not in the file. It stays.");
});

it("applies nothing when somebody else changed the configuration first", async () => {
  await setRoutes(file.routes[0]);
  const requested = { file: { ...file, routes: [{ ...file.routes[0], weight: 9 }] }, existing: "set" };
  const { revision } = (await call(gateway, key, "POST", "/operator/file", { ...requested, dry_run: true }))
    .body;
  await call(gateway, key, "PATCH", "/operator/providers/their", { settings: { media: "url" } });
  const late = await call(gateway, key, "POST", "/operator/file", { ...requested, revision });
  expect([late.status, late.body.error]).toMatchObject([409, { code: "configuration_changed" }]);
  const both = await Promise.all([1, 2].map(() => call(gateway, key, "POST", "/operator/file", requested)));
  expect(both.map(({ status }) => status).sort()).toMatchObject([
    200,
    expect.toSatisfy((one) => [200, 409].includes(one)),
  ]);
  expect((await read("routes")).data).toMatchObject([{ weight: 9 }]);
});

it("lists what a key of OpenRouter can run, and writes the chosen models as a file that it then applies", async () => {
  const words = [
    "--base-url",
    `${models.origin}/v1`,
    "--allow-private",
    "--gateway",
    gateway.url,
    "--key",
    key,
  ];
  expect(await printed(["import", "openrouter", ...words])).toMatchObject({
    code: 2,
    said: expect.stringContaining("Set OPENROUTER_API_KEY"),
  });
  vi.stubEnv("OPENROUTER_API_KEY", "sk-of-openrouter");
  expect((await printed(["import", "openrouter", ...words])).said.split("\n")).toEqual([
    "vendor/small  A small one",
    "",
    "Next: npm run -s gatehouse -- import openrouter --model <name> --out gatehouse.json",
  ]);
  const out = path.join(folder, "proposed.json");
  const chosen = await printed(["import", "openrouter", "--model", "vendor/small", "--out", out, ...words]);
  expect(chosen).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^provider .*key in OPENROUTER_API_KEY\nmodel {5}vendor\/small: vendor\/small by openrouter\n/,
    ),
  });
  expect((await applied(readFileSync(out, "utf8"))).said).toContain("added     model vendor/small");
});

it("changes nothing if any part of the file is wrong", async () => {
  const wrong = { ...file, routes: [{ ...file.routes[0], models: ["svc/none"] }] };
  const refused = await applied(wrong);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('"svc/none"') });
  expect(await applied("{")).toMatchObject({ code: 1, said: expect.stringContaining("not valid JSON") });
  expect(await applied({ ...file, provider: {} })).toMatchObject({
    code: 1,
    said: expect.stringContaining('does not know "provider"'),
  });
  const hostile = `{"providers":{"constructor":{"protocol":"openai","base_url":"https://up.example/v1","credentials":{"us-virginia":{"env":"__proto__"}}}},"routes":[]}`;
  expect(await applied(hostile)).toMatchObject({ code: 1, said: expect.stringContaining("__proto__") });
  const { accountId } = await gateway.createAccount();
  const weak = await gateway.createKey(accountId);
  for (const other of [weak, newAccountKey()])
    expect(await applied(file, "--key", other)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/answered 40[13]/),
    });
  expect(await main(["apply", "--gateway", gateway.url, "--key", key])).toBe(2);
  expect(await main(["apply", "one", "two", "--gateway", gateway.url, "--key", key])).toBe(2);
});

it("says how large a file may be, which white space does not count for", async () => {
  const padded = `${JSON.stringify({ providers: {}, routes: [] })}${" ".repeat(fileLimits.bytes)}`;
  expect(await applied(padded)).toMatchObject({ code: 0 });
  const { code, said } = await applied({ ...file, $schema: "a".repeat(2 * fileLimits.bytes) });
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(
      /gatehouse\.json has 7\.8 MB without white space; a file may have 3\.9 MB\. Divide it/,
    ),
  ]);
});
