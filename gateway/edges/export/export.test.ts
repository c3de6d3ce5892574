import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { accountDeletionTables } from "#gateway/access/accounts/deletion/sweep.ts";
import { main } from "#gateway/edges/cli/main.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { ExportPart } from "#gateway/platform/database/tables/accounts.ts";
import { databaseUrlOf } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, refusal, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { withoutSignatures } from "./part.ts";
import { planParts } from "./plan.ts";
import { leftOut, sections } from "./sections.ts";

const gateway = shared(() => startTestGateway());
const scene = shared(async () => {
  const account = await gateway.createAccount();
  const stranger = await gateway.createAccount();
  return { account, stranger, ...(await fill(account)) };
});

const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows;

async function ask(bearer: string, method: string, path: string, body?: unknown) {
  const answer = await call(gateway, bearer, method, path, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** Creates rows and files of many kinds. Returns the secrets of some, and an upload's bytes. */
async function fill(account: TestAccount) {
  const { key, session } = account;
  const endpoint = await ask(session, "POST", "/webhooks/endpoints", { url: "https://nowhere.example.com/" });
  await ask(session, "PATCH", "/account", { contents: { keep: "all" } });
  const invited = await ask(session, "POST", "/account/invitations", {
    email: "a@example.com",
    role: "viewer",
  });
  const made = await ask(session, "POST", "/keys", { name: "Second", scopes: ["predictions"] });
  const bucket = {
    endpoint_url: "https://s3.example.com",
    region: "eu",
    bucket: "bucket",
    access_key_id: "AKIA0123456789ABCDEF",
  };
  const bucketSecret = "a-secret-of-a-bucket";
  await ask(session, "POST", "/destinations", { name: "B", ...bucket, secret_access_key: bucketSecret });
  await ask(key, "POST", "/chat/completions", {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "Hello, contents" }],
  });
  await ask(key, "POST", "/responses", { model: "svc/chat-1", input: "Hello, response", store: true });
  const picture = { prompt: "waves", quality: "low", size: "1024x1024", output_format: "png" };
  const run = await ask(key, "POST", "/images/generations", { model: "svc/img-gen-b", ...picture });
  const other = await ask(key, "POST", "/images/generations", { model: "svc/img-gen-b", ...picture });
  for (const { id } of [run, other])
    await vi.waitFor(async () =>
      expect(await ask(key, "GET", `/predictions/${id}`)).toMatchObject({ status: "succeeded" }),
    );
  const [output] = (await ask(key, "GET", `/outputs?prediction_id=${run.id}`)).data as { id: string }[];
  await ask(key, "POST", `/outputs/${output?.id}/keep`, { labels: ["waves"] });
  await ask(session, "POST", `/predictions/${run.id}/notes`, { text: "These are the waves." });
  const share = await ask(session, "POST", `/outputs/${output?.id}/shares`, { expires_in: 3600 });
  await ask(session, "POST", "/presets", {
    ...{ name: "Waves", model: "svc/img-gen-b", api_type: "image-generation", input: picture },
  });
  await vi.waitFor(async () => expect((await ask(key, "GET", "/webhooks/deliveries")).data).not.toEqual([]));
  await gateway.context.contents.flush();
  const secrets = [key, session, endpoint.secret, made.secret, bucketSecret, invited.token, share.url].map(
    String,
  );
  const hashes = await sql(
    "select secret_hash as hash from api_keys union select password_hash from users union select token_hash from sessions",
  );
  return {
    secrets: [...secrets, ...hashes.map(({ hash }) => String(hash)).filter((hash) => hash.length > 20)],
  };
}

/** The files of a ZIP, read by its directory. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map((place) => zip.readUInt16LE(at + place)),
    ] as [number, number, number, number];
    const local = zip.readUInt32LE(at + 42);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    expect(files.has(name), `${name} is twice in the part`).toBe(false);
    files.set(name, zip.subarray(data, data + size));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const nameOf = async (account: TestAccount) => String((await ask(account.session, "GET", "/account")).name);
const begin = async (account: TestAccount) =>
  ask(account.session, "POST", "/account/export", { name: await nameOf(account) });
const fetchPart = (account: TestAccount, number: number) =>
  fetch(`${gateway.url}/account/export/parts/${number}`, {
    headers: { authorization: `Bearer ${account.session}` },
  });
async function part(account: TestAccount, number: number) {
  const answer = await fetchPart(account, number);
  expect(answer.status).toBe(200);
  return unzip(Buffer.from(await answer.arrayBuffer()));
}
const rowsIn = (file: Buffer | undefined) =>
  (file?.toString() ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("an owner downloads every row in the API's shapes and every file, without a secret", async () => {
  const { account, secrets } = scene;
  const begun = await begin(account);
  expect(begun.export).toMatchObject({
    begun_by: { id: account.userId },
    parts: [{ number: 1, sent_at: null }],
  });
  const files = await part(account, 1);

  const names = [...files.keys()];
  for (const { name, ending = "jsonl" } of sections) expect(names).toContain(`${name}.${ending}`);
  expect(rowsIn(files.get("predictions.jsonl")).map(({ object }) => object)).toEqual([
    "prediction",
    "prediction",
    "note",
  ]);
  const [, first] = rowsIn(files.get("predictions.jsonl"));
  const shown = await ask(account.session, "GET", `/predictions/${first?.id}`);
  expect(Object.keys(first ?? {}).filter((name) => name !== "notes")).toEqual(Object.keys(shown));
  for (const [name, words] of Object.entries({
    contents: "Hello, contents",
    responses: "Hello, response",
    presets: "waves",
    library: "waves",
    webhook_deliveries: "attempt_log",
    audit_logs: "preset.created",
    members: account.email,
    requests: "/v1/images/generations",
    usage: "svc/img-gen-b",
  }))
    expect(files.get(`${name}.${name === "usage" ? "csv" : "jsonl"}`)?.toString(), name).toContain(words);

  const outputs = [...rowsIn(files.get("outputs.jsonl")), ...rowsIn(files.get("library.jsonl"))];
  expect(outputs).toHaveLength(3);
  for (const { url, provenance } of outputs)
    expect(
      createHash("sha256")
        .update(files.get(String(url)) ?? "")
        .digest("hex"),
    ).toBe((provenance as { sha256: string }).sha256);
  expect(JSON.parse(files.get("manifest.json")?.toString() ?? "")).toMatchObject({
    ...{ number: 1, of: 1, rows: { predictions: 2, outputs: 2, library: 1 }, missing: [] },
    files: { count: 2 },
  });
  expect(files.get("README.txt")?.toString()).toContain("What is not in the export");

  const all = Buffer.concat([...files.values()]).toString("latin1");
  for (const secret of secrets) expect(all).not.toContain(secret);
  expect(all).not.toMatch(/[?&]signature=/);
  await vi.waitFor(async () => {
    expect((await ask(account.session, "GET", "/account/export")).export).toMatchObject({
      parts: [{ sent_at: expect.any(String) }],
    });
    const actions = (await ask(account.session, "GET", "/audit_logs")).data as { action: string }[];
    expect(actions.map(({ action }) => action)).toContain("account.export_part_sent");
  });
  // The requests that read the rows are part of one request.
  expect(await sql("select 1 from request_logs where route = '/v1/outputs/:id' and method = 'GET'")).toEqual(
    [],
  );
}, 60_000);

test("small parts have together what one part has, and a part that broke off is sent again", async () => {
  const { account } = scene;
  const { accountId } = account;
  await begin(account);
  const whole = await part(account, 1);
  const small = await planParts(gateway.context.database.queries, accountId, () => true, {
    rows: 2,
    fileBytes: 1,
  });
  await setParts(account, small);
  expect(small.length).toBeGreaterThan(5);

  // The reader leaves with the first bytes.
  const broken = await fetchPart(account, 1);
  await broken.body?.cancel();
  const names = new Set<string>();
  const lines: Record<string, string[]> = {};
  for (const [index] of small.entries()) {
    const files = await vi.waitFor(() => part(account, index + 1), { timeout: 10_000 });
    for (const [name, bytes] of files) {
      expect(names.has(name), `${name} is in two parts`).toBe(false);
      names.add(name);
      const section = /^(\w+)-\d+\.jsonl$/.exec(name)?.[1];
      if (section)
        lines[section] = [...(lines[section] ?? []), ...bytes.toString().split("\n").filter(Boolean)];
    }
  }
  for (const [name, bytes] of whole) {
    if (name.startsWith("files/")) expect(names).toContain(name);
    const section = /^(\w+)\.jsonl$/.exec(name)?.[1];
    if (!section || section === "account" || section === "limits") continue;
    const [rows, wanted] = [lines[section] ?? [], bytes.toString().split("\n").filter(Boolean)];
    // Requests before the whole part may have been logged after it.
    if (section === "requests") expect(rows).toEqual(expect.arrayContaining(wanted));
    else expect(rows, section).toHaveLength(wanted.length);
  }
}, 60_000);

test("a part has one file of a section, however small the pieces of its list are", async () => {
  const found = [
    { until: "c", rows: 9, bytes: 19 },
    { until: "b", rows: 1, bytes: 1 },
    { until: "a", rows: 5, bytes: 3 },
  ];
  const queries = { execute: async () => ({ rows: found }) } as unknown as Queries;
  const size = { rows: 10, fileBytes: 10 };
  expect(await planParts(queries, "acct_1", ({ name }) => name === "outputs", size)).toEqual([
    { rows: 9, fileBytes: 19, ranges: [{ section: "outputs", after: null, until: "c" }] },
    { rows: 6, fileBytes: 4, ranges: [{ section: "outputs", after: "c", until: null }] },
  ]);
});

async function setParts({ accountId }: TestAccount, parts: ExportPart[]) {
  await sql("update account_exports set parts = $2 where account_id = $1", [
    accountId,
    JSON.stringify(parts),
  ]);
}

test("only one part of an account is sent at a time", async () => {
  const { account } = scene;
  await begin(account);
  const leave = await gateway.context.limiter.occupy(`export of ${account.accountId}`, 1);
  const answer = await call(gateway, account.session, "GET", "/account/export/parts/1");
  leave?.();
  expect(answer).toMatchObject(refusal(429, "concurrency_limit_exceeded"));
});

test("an export needs the account's name, is not another account's, and expires", async () => {
  const { account, stranger } = scene;
  const wrong = await call(gateway, account.session, "POST", "/account/export", { name: "Another" });
  expect(wrong).toMatchObject(refusal(400, "invalid_parameter"));
  await begin(account);
  const missing = refusal(404, "export_not_found");
  expect(await call(gateway, stranger.session, "GET", "/account/export/parts/1")).toMatchObject(missing);
  expect(await call(gateway, account.session, "GET", "/account/export/parts/2")).toMatchObject(missing);
  await sql("update account_exports set begun_at = now() - interval '8 days'");
  expect(await call(gateway, account.session, "GET", "/account/export/parts/1")).toMatchObject(missing);
  expect(await ask(account.session, "GET", "/account/export")).toMatchObject({ export: null });
});

test("an owner without a model's attestation gets its rows without inputs and outputs", async () => {
  const account = await gateway.createAccount();
  const { key, session, accountId } = account;
  await ask(session, "POST", "/presets", {
    ...{ name: "Mine", model: "svc/img-gen-b", api_type: "image-generation" },
    input: { prompt: "a hidden lighthouse" },
  });
  const stored = { model: "svc/chat-1", input: "a hidden harbour", store: true };
  const { id } = await ask(key, "POST", "/responses", stored);
  await sql("update presets set model = 'svc/adult-img-1' where account_id = $1", [accountId]);
  const gated = `jsonb_set(response::jsonb, '{model}', '"svc/adult-img-1"')::json`;
  await sql(`update responses set response = ${gated} where account_id = $1`, [accountId]);
  await begin(account);
  const files = await part(account, 1);
  expect(rowsIn(files.get("presets.jsonl"))).toMatchObject([{ name: "Mine" }, { name: "Mine" }]);
  expect(rowsIn(files.get("responses.jsonl"))).toEqual([{ id }]);
  for (const bytes of files.values()) expect(bytes.toString("latin1")).not.toContain("a hidden");
});

test("an account that is about to be deleted can be exported", async () => {
  const account = await gateway.createAccount();
  await ask(account.session, "POST", "/account/deletion", { name: await nameOf(account) });
  await begin(account);
  expect(rowsIn((await part(account, 1)).get("members.jsonl"))).toHaveLength(1);
});

test("an owner allows an operator's export for at most a week, and withdraws it", async () => {
  const { account } = scene;
  const allow = (until: string | null) =>
    call(gateway, account.session, "PUT", "/account/export/operator", { until });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  expect((await allow(until)).body).toMatchObject({ operator_until: until });
  const late = await allow(new Date(Date.now() + 8 * 86_400_000).toISOString());
  expect(late).toMatchObject(refusal(400, "invalid_parameter"));
  expect((await allow(null)).body).toMatchObject({ operator_until: null });
});

test("an operator's command needs the consent of an owner, or leaves contents out, and continues", async () => {
  const { account, secrets } = scene;
  const { config, database } = gateway.context;
  vi.stubEnv("DATABASE_URL", databaseUrlOf(database));
  vi.stubEnv("AUTH_SECRET", "a-secret-that-only-tests-know-0001");
  vi.stubEnv("GATEHOUSE_DATA_DIR", config.dataDir);
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  const complained = vi.spyOn(console, "error").mockImplementation(() => {});
  const progress = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const folder = newFolder("export");
  const run = (to: string, ...more: string[]) =>
    main(["account", "export", "--account", account.accountId, "--to", path.join(folder, to), ...more]);
  const zip = (to: string) => unzip(readFileSync(path.join(folder, to, "part-1-of-1.zip")));

  expect(await run("refused")).toBe(1);
  expect(complained.mock.calls.join()).toContain("No owner allows operators");
  expect(await run("plain", "--without-contents")).toBe(0);
  const plain = Buffer.concat([...zip("plain").values()]).toString("latin1");
  for (const words of ["Waves", "Hello", "nowhere.example.com"]) expect(plain).not.toContain(words);
  expect(rowsIn(zip("plain").get("members.jsonl"))).toHaveLength(1);

  const until = new Date(Date.now() + 3_600_000).toISOString();
  await ask(account.session, "PUT", "/account/export/operator", { until });
  expect(await run("whole")).toBe(0);
  const files = zip("whole");
  expect(rowsIn(files.get("outputs.jsonl"))).toHaveLength(2);
  const all = Buffer.concat([...files.values()]).toString("latin1");
  for (const secret of secrets) expect(all).not.toContain(secret);
  // A run that finds the part does not make it again.
  printed.mockClear();
  expect(await run("whole")).toBe(0);
  expect(printed).not.toHaveBeenCalled();
  expect(await run("whole", "--without-contents")).toBe(1);
  const [row] = await sql(
    "select detail from audit_logs where action = 'account.export_part_sent' order by id desc",
  );
  expect(row?.detail).toEqual({ part: 1, of: 1, by: "operator", contents: true });

  // The consent is withdrawn when the export has begun.
  await sql(`create function withdraw() returns trigger language plpgsql as $$
    begin update account_exports set operator_until = null; return new; end $$`);
  await sql(`create trigger withdraw before insert on audit_logs for each row
    when (new.action = 'account.export_begun') execute function withdraw()`);
  complained.mockClear();
  expect(await run("withdrawn")).toBe(1);
  expect(complained.mock.calls.join()).toContain("no longer allows operators to export");
  expect(readdirSync(path.join(folder, "withdrawn"))).toEqual(["export.json"]);
  await sql("drop trigger withdraw on audit_logs");
  await ask(account.session, "PUT", "/account/export/operator", { until });
  // The place of a killed run stays occupied for a while.
  await sql("insert into gateway_processes (id, seen_at) values ('killed', now() + interval '1 hour')");
  await sql(`insert into limit_slots (subject, places, wanted, running, held)
    values ('export of ${account.accountId}', 1, 0, 1, '{"killed": 1}') on conflict (subject) do update set held = excluded.held`);
  const waiting = run("withdrawn");
  await expect.poll(() => progress.mock.calls.join()).toContain("Waiting for another export");
  await sql("delete from gateway_processes where id = 'killed'");
  expect(await waiting).toBe(0);
  await ask(account.session, "PUT", "/account/export/operator", { until: null });
}, 60_000);

test("an address in somebody's text names no file of the store", () => {
  const found: string[] = [];
  const text = JSON.stringify({
    a: `${gateway.context.config.publicUrl}/v1/files/outputs/x/1?expires=99999999999&signature=forged`,
    b: "https://s3.example.com/a.png?X-Amz-Signature=abc&x=1",
    c: "https://example.com/?page=2",
  });
  const line = withoutSignatures(gateway.context, text, (key) => found.push(key));
  expect(found).toEqual([]);
  expect(JSON.parse(line)).toEqual({
    a: "files/outputs/x/1",
    b: "https://s3.example.com/a.png",
    c: "https://example.com/?page=2",
  });
});

test("every table of accounts is exported or left out for a reason, and is deleted with its account", async () => {
  const tables = await sql(`select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id'
      and table_name not in (select inhrelid::regclass::text from pg_inherits) order by 1`);
  const names = tables.map(({ name }) => String(name));
  const exported = sections.flatMap((section) => section.tables);
  expect([...exported, ...Object.keys(leftOut)].sort()).toEqual(names);
  // Each is a file of its own.
  expect(new Set(sections.map(({ name }) => name)).size).toBe(sections.length);
  const cascading = await sql(`select conrelid::regclass::text as name from pg_constraint
    where confrelid = 'accounts'::regclass and confdeltype = 'c' and conparentid = 0`);
  const deleted = new Set([...accountDeletionTables, ...cascading.map(({ name }) => String(name))]);
  expect(names.filter((name) => !deleted.has(name))).toEqual([]);
});
