import { expect, it, vi } from "vitest";
import type { Batch, BatchCheck, BatchRow } from "#contract/batches.ts";
import { readCsv } from "#contract/csv.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

const chat = { model: "svc/chat-1" };

async function send(body: object, bearer = account.key): Promise<Batch> {
  const answer = await call(gateway, bearer, "POST", "/batches", body);
  expect(answer.body).toMatchObject({ object: "batch" });
  expect(answer.status).toBe(202);
  return answer.body as unknown as Batch;
}

async function read(id: string): Promise<Batch> {
  return (await call(gateway, account.key, "GET", `/batches/${id}`)).body as unknown as Batch;
}

async function rowsOf(id: string, query = "?limit=100"): Promise<BatchRow[]> {
  return (await call(gateway, account.key, "GET", `/batches/${id}/rows${query}`)).body.data as BatchRow[];
}

function becomes(id: string, status: string): Promise<Batch> {
  return vi.waitFor(
    async () => {
      const batch = await read(id);
      expect(batch).toMatchObject({ status });
      return batch;
    },
    { interval: 50 },
  );
}

const control = (id: string, name: string, body?: object) =>
  call(gateway, account.key, "POST", `/batches/${id}/${name}`, body);

async function download(id: string, kind: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${account.key}` };
  const response = await fetch(`${gateway.url}/batches/${id}/results.${kind}`, { headers });
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${id}.${kind}"`);
  return Buffer.from(await response.arrayBuffer());
}

async function eventsOf(id: string) {
  const { rows } = await gateway.context.database.pool.query<{ type: string }>(
    "select type from webhook_events where body::jsonb #>> '{data,object,id}' = $1",
    [id],
  );
  return rows.map(({ type }) => type);
}

it("runs a table of chats, each row once, with one event at the end", async () => {
  const csv =
    '\uFEFFid;prompt;max_tokens\r\n7;"Say ""one"",\r\nthen stop";20\r\n8;=1+1;\r\n9;Name a tree;10\r\n';
  const made = await send({ ...chat, csv, name: "trees", concurrency: 2 });
  expect(made).toMatchObject({
    status: "running",
    counts: { total: 3 },
    ignored: ["id"],
    estimated: { unit: "token", quantity: null },
  });
  const done = await becomes(made.id, "finished");
  expect(done.counts).toMatchObject({ queued: 0, running: 0, succeeded: 3 });
  const rows = await rowsOf(made.id);
  expect(rows.map(({ line }) => line)).toEqual([2, 4, 5]);
  expect(rows[0]?.input).toEqual({ id: "7", prompt: 'Say "one",\r\nthen stop', max_tokens: 20 });
  for (const row of rows) {
    expect(row.text).toEqual(expect.any(String));
    expect(row.usage).toMatchObject({ unit: "token" });
    expect(row.sandbox).toBe(true);
  }
  expect(done.usage.quantity).toBe(rows.reduce((sum, { usage }) => sum + (usage?.quantity ?? 0), 0));
  expect(await eventsOf(made.id)).toEqual(["batch.finished"]);
  const { rows: metered } = await gateway.context.database.pool.query(
    "select sum(quantity)::float8 as quantity from usage_daily where account_id = $1",
    [account.accountId],
  );
  expect(metered).toEqual([{ quantity: done.usage.quantity }]);
});

it("keeps pictures in the store, and turns async rows into predictions with their own events", {
  timeout: 60_000,
}, async () => {
  const pictures = await send({
    model: "svc/img-gen-a-1",
    api_type: "image-generation",
    jsonl: '{"prompt":"a pine"}\n\n{"prompt":"an oak","n":2}\n',
  });
  const later = await send({
    model: "svc/img-gen-b",
    rows: [{ prompt: "a pine", quality: "low", size: "1024x1024", output_format: "png" }],
  });
  expect(pictures.estimated).toEqual({ unit: "generation", quantity: 3 });
  await becomes(pictures.id, "finished");
  const made = await rowsOf(pictures.id);
  expect(made.map(({ data }) => data?.length)).toEqual([1, 2]);
  const listed = await call(gateway, account.session, "GET", "/batches?shape=gatehouse");
  const [inList] = (listed.body.data as Batch[]).filter(({ id }) => id === pictures.id);
  expect(inList?.pictures?.map(({ row, preview_url }) => [row, preview_url])).toEqual(
    made.flatMap(({ row, data }) => (data ?? []).map(({ preview_url }) => [row, preview_url])),
  );
  const file = await fetch(made[0]?.data?.[0]?.url ?? "");
  expect(file.headers.get("content-type")).toMatch(/^image\//);
  expect((await file.arrayBuffer()).byteLength).toBe(made[0]?.data?.[0]?.size_bytes);
  await becomes(later.id, "finished");
  const [row] = await rowsOf(later.id);
  expect(row).toMatchObject({ status: "succeeded", usage: { unit: "generation", quantity: 1 } });
  expect(row?.data?.[0]?.content_type).toBe("image/png");
  expect(await eventsOf(row?.run_id ?? "")).toEqual(["prediction.succeeded"]);

  const table = await download(pictures.id, "csv");
  const [, , second] = [...readCsv(table.toString())];
  expect(second?.cells.slice(0, 4)).toEqual(["an oak", "2", "2", "succeeded"]);
  const archive = (await download(pictures.id, "zip")).toString("latin1");
  for (const name of ["files/0001-1.png", "files/0002-2.png", "results.csv", "manifest.json"])
    expect(archive).toContain(name);
  expect(archive).toContain('"files":[{"name":"files/0001-1.png","content_type":"image/png"');
  const { body: runner } = await call(gateway, account.session, "POST", "/keys", {
    name: "runs only",
    scopes: ["inference"],
  });
  const hidden = await call(gateway, String(runner.secret), "GET", `/batches/${pictures.id}/results.zip`);
  expect(hidden.status).toBe(403);
});

it("reports each mistake by line and column, and starts nothing", async () => {
  const table = "prompt,n,n\na pine,1,2\n";
  const checked = async (body: object) =>
    (await call(gateway, account.key, "POST", "/batches/check", body)).body as unknown as BatchCheck;
  const pictures = { model: "svc/img-gen-a-1", api_type: "image-generation" };
  expect(await checked({ ...pictures, csv: table })).toMatchObject({
    ok: false,
    faults: [{ row: null, line: 1, column: "n" }],
  });
  const faulty = "prompt,n,note\na pine,1,x\n,2,x\nan oak,many,x\n";
  expect(await checked({ ...pictures, csv: faulty })).toMatchObject({
    ok: false,
    rows: 3,
    ignored: ["note"],
    estimated: { unit: "generation", quantity: 1 },
    faults: [
      { row: 2, line: 3, column: "prompt", code: "missing_parameter" },
      { row: 3, line: 4, column: "n", code: "invalid_parameter" },
    ],
  });
  const lines = '{"prompt":3,"system":"short"}\nno object\n{"prompt":"a","system":4}\n{"temperature":9}';
  expect(await checked({ ...chat, jsonl: lines })).toMatchObject({
    rows: 4,
    faults: [
      { row: 2, line: 2, column: null, code: "invalid_json" },
      { row: 1, line: 1, column: "prompt" },
      { row: 3, line: 3, column: "system" },
      { row: 4, line: 4, column: "prompt", message: "prompt is required" },
      { row: 4, line: 4, column: "temperature", message: "temperature must be at most 2" },
    ],
  });
  const upload = { model: "svc/asr-1", rows: [{ audio: "upload://upl_01jd0000000000000000000000" }] };
  expect(await checked(upload)).toMatchObject({
    faults: [{ row: 1, column: "audio", code: "upload_not_usable" }],
  });
  const refused = await call(gateway, account.key, "POST", "/batches", { ...pictures, csv: faulty });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ param: "prompt", message: expect.stringContaining("Line 3") });
  for (const [body, code] of [
    [{ ...chat, rows: [] }, "invalid_parameter"],
    [{ ...chat }, "missing_parameter"],
    [{ ...chat, rows: [{ prompt: "a" }], csv: "prompt\na" }, "invalid_parameter"],
    [{ model: "svc/img-gen-a-1", rows: [{ prompt: "a" }] }, "missing_parameter"],
    [
      { model: "svc/swap-1", rows: [{ image: ["a"], person_rights_confirmed: true }] },
      "person_rights_confirmation_required",
    ],
    [{ model: "svc/adult-img-1", rows: [{ prompt: "a" }] }, "adult_attestation_required"],
  ] as const)
    expect((await call(gateway, account.key, "POST", "/batches", body)).body.error).toMatchObject({ code });
});

it("pauses, resumes, stops and reruns failed rows; repeating any of them changes nothing", {
  timeout: 60_000,
}, async () => {
  const made = await send({
    ...chat,
    rows: Array.from({ length: 40 }, () => ({ prompt: "a pine" })),
    concurrency: 1,
  });
  expect((await control(made.id, "pause")).body).toMatchObject({ status: "paused" });
  expect((await control(made.id, "pause")).body).toMatchObject({ status: "paused" });
  await vi.waitFor(async () => expect((await read(made.id)).counts.running).toBe(0));
  const { counts } = await read(made.id);
  expect(counts.queued).toBeGreaterThan(0);
  expect((await control(made.id, "resume")).body).toMatchObject({ status: "running" });
  await control(made.id, "stop");
  await control(made.id, "stop");
  const stopped = await becomes(made.id, "stopped");
  expect(stopped.counts.canceled).toBeGreaterThan(0);
  expect((await control(made.id, "resume")).body.error).toMatchObject({ code: "batch_ended" });
  expect((await control(made.id, "retry_failed")).body).toMatchObject({ status: "stopped" });
  expect((await control(made.id, "retry_failed", { canceled: true })).body).toMatchObject({
    status: "running",
  });
  const done = await becomes(made.id, "finished");
  expect(done.counts).toMatchObject({ succeeded: 40, canceled: 0 });
  expect(await eventsOf(made.id)).toEqual(["batch.finished", "batch.finished"]);
});

it("respects the limits of its key, and stops with the reason when the key is revoked", {
  timeout: 60_000,
}, async () => {
  const { body: key } = await call(gateway, account.session, "POST", "/keys", {
    name: "slow",
    max_concurrency: 1,
  });
  const rows = Array.from({ length: 6 }, () => ({ prompt: "a pine" }));
  const waiting = await send({ ...chat, rows, concurrency: 10 }, String(key.secret));
  const done = await becomes(waiting.id, "finished");
  expect(done.counts).toMatchObject({ succeeded: 6, failed: 0 });
  expect(done.made_by.key).toMatchObject({ name: "slow" });

  const other = await send(
    { ...chat, rows: [...rows, ...rows, ...rows], concurrency: 1 },
    String(key.secret),
  );
  await call(gateway, account.session, "DELETE", `/keys/${key.id}`);
  const stopped = await becomes(other.id, "stopped");
  expect(stopped.reason).toMatchObject({ code: "revoked_api_key" });
  const failed = await rowsOf(other.id, "?status=failed&limit=1");
  expect(failed[0]?.error).toMatchObject({ code: "revoked_api_key" });
  // Another member may resume the batch; from then on it runs as that member.
  await control(other.id, "retry_failed");
  const again = await becomes(other.id, "finished");
  expect(again.counts.succeeded).toBe(18);
  expect(again.runs_as.key).toMatchObject({ name: "test" });
});

it("leaves part of the limits for single requests", async () => {
  const { body: key } = await call(gateway, account.session, "POST", "/keys", {
    name: "eight a minute",
    requests_per_minute: 8,
  });
  const rows = Array.from({ length: 20 }, () => ({ prompt: "a pine" }));
  const batch = await send({ ...chat, rows, concurrency: 10 }, String(key.secret));
  await vi.waitFor(async () => {
    const now = await read(batch.id);
    expect(now.waits_until).not.toBeNull();
    expect(now.counts).toMatchObject({ running: 0, failed: 0 });
  });
  const messages = [{ role: "user", content: "a pine" }];
  const single = await call(gateway, String(key.secret), "POST", "/chat/completions", { ...chat, messages });
  expect(single.status).toBe(200);
  await control(batch.id, "stop");
  expect((await becomes(batch.id, "stopped")).counts).toMatchObject({ failed: 0 });
});

it("stops when an attestation is withdrawn, and pauses when a budget is used up", {
  timeout: 60_000,
}, async () => {
  await gateway.attest(account, "adult");
  const rows = Array.from({ length: 12 }, () => ({ prompt: "a pine" }));
  const gated = await send({ model: "svc/adult-img-1", rows, concurrency: 1 }, account.session);
  await call(gateway, account.session, "DELETE", "/account/attestations/adult");
  expect(await becomes(gated.id, "stopped")).toMatchObject({
    reason: { code: "adult_attestation_required" },
  });

  const { body: key } = await call(gateway, account.session, "POST", "/keys", {
    name: "tight",
    monthly_budget: { generation: 2 },
  });
  const pictures = { model: "svc/img-gen-a-1", api_type: "image-generation", concurrency: 1 };
  const costly = await send({ ...pictures, rows: rows.slice(0, 4) }, String(key.secret));
  const paused = await becomes(costly.id, "paused");
  expect(paused).toMatchObject({ reason: { code: "budget_exceeded" }, counts: { succeeded: 2, queued: 2 } });
  await call(gateway, account.session, "PATCH", `/keys/${key.id}`, { monthly_budget: null });
  await control(costly.id, "resume");
  expect((await becomes(costly.id, "finished")).counts.succeeded).toBe(4);
});

it("waits for what its own rows have reserved, and continues by itself", { timeout: 90_000 }, async () => {
  const { body: key } = await call(gateway, account.session, "POST", "/keys", {
    name: "one film",
    monthly_budget: { second: 30 },
  });
  const rows = Array.from({ length: 2 }, () => ({ prompt: "waves", duration: 30 }));
  const films = { model: "svc/vid-t2v", rows, concurrency: 2 };
  const { id } = await send(films, String(key.secret));
  const running = (besides = "") =>
    vi.waitFor(async () => {
      const batch = await read(id);
      expect(batch.status).toBe("running");
      const [film] = (await rowsOf(id)).filter(
        (row) => row.status === "running" && row.run_id && row.run_id !== besides,
      );
      return { batch, film: String(film?.run_id ?? expect.unreachable()) };
    });
  const { film } = await running();
  await vi.waitFor(async () => {
    const batch = await read(id);
    expect(batch).toMatchObject({ status: "running", reason: null, counts: { running: 1, queued: 1 } });
    expect(batch.waits_until).not.toBeNull();
  });
  await call(gateway, account.key, "POST", `/predictions/${film}/cancel`);
  const next = await running(film);
  await call(gateway, account.key, "POST", `/predictions/${next.film}/cancel`);
  expect((await becomes(id, "finished")).counts).toMatchObject({ canceled: 2 });
});

it("reads a verified upload, and starts a batch once per Idempotency-Key", async () => {
  const bytes = Buffer.from('prompt\n"an oak"\n');
  const { body: upload } = await call(gateway, account.key, "POST", "/uploads", {
    content_type: "text/csv",
    size_bytes: bytes.length,
    filename: "trees.csv",
  });
  await fetch(String(upload.upload_url), {
    method: "PUT",
    headers: upload.upload_headers as Record<string, string>,
    body: bytes,
  });
  await call(gateway, account.key, "POST", `/uploads/${upload.id}/verify`, {});
  const body = { ...chat, upload: upload.reference };
  const once = { "idempotency-key": "trees" };
  const first = await call(gateway, account.key, "POST", "/batches", body, once);
  const second = await call(gateway, account.key, "POST", "/batches", body, once);
  expect(first.status).toBe(202);
  expect(second.body.id).toBe(first.body.id);
  expect((await becomes(String(first.body.id), "finished")).counts.succeeded).toBe(1);
});

it("makes MP3 speech if a row requests it, and refuses raw samples", async () => {
  const model = "svc/tts-b-1";
  const rows = [{ input: "Hello.", response_format: "mp3" }, { input: "Hello." }];
  const { id } = await send({ model, rows });
  await becomes(id, "finished");
  const made = await rowsOf(id);
  expect(made.map(({ data }) => data?.[0]?.content_type)).toEqual(["audio/mpeg", "audio/wav"]);
  const pcm = { model, rows: [{ input: "Hello.", response_format: "pcm" }] };
  const { body } = await call(gateway, account.key, "POST", "/batches/check", pcm);
  expect(JSON.stringify(body)).toContain("choose wav or mp3");
});
