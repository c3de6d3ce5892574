import OpenAI, { toFile } from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { png, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { batches } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { batchDeadlineSweep } from "./sweeps.ts";

let openai: OpenAI;

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  openai = clientOf(account.key);
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: gateway.url, maxRetries: 0 });
}
async function keyOf(scopes: string[]): Promise<OpenAI> {
  const { body } = await call(gateway, account.session, "POST", "/keys", {
    name: "k",
    kind: "personal",
    scopes,
  });
  return clientOf(String(body.secret));
}

type Purpose = "batch" | "user_data" | "vision";
const textFile = async (text: string, name = "requests.jsonl", purpose: Purpose = "batch", client = openai) =>
  client.files.create({ file: await toFile(Buffer.from(text), name), purpose });
const idsOf = async (pages: AsyncIterable<{ id: string }>) => {
  const ids: string[] = [];
  for await (const { id } of pages) ids.push(id);
  return ids;
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("openai.files", () => {
  it("sends, reads, downloads and deletes a file with its purpose", async () => {
    const made = await textFile('{"a":1}\n', "mine.jsonl", "user_data");
    expect(made).toMatchObject({
      ...{ object: "file", bytes: 8, filename: "mine.jsonl", purpose: "user_data", status: "processed" },
    });
    expect(made.created_at).toBeGreaterThan(1_700_000_000);
    expect((made.expires_at ?? 0) - made.created_at).toBeGreaterThanOrEqual(86_399);
    expect(await openai.files.retrieve(made.id)).toEqual(made);
    expect(await (await openai.files.content(made.id)).text()).toBe('{"a":1}\n');
    const image = await openai.files.create({
      file: await toFile(png, "dot.png", { type: "image/png" }),
      purpose: "vision",
    });
    expect(Buffer.from(await (await openai.files.content(image.id)).arrayBuffer())).toEqual(png);
    expect(await openai.files.delete(made.id)).toMatchObject({ id: made.id, object: "file", deleted: true });
    expect(await refusal(openai.files.retrieve(made.id))).toMatchObject({
      ...{ status: 404, code: "upload_not_found" },
    });
  });

  it("lists verified uploads page by page, in either order, by purpose", async () => {
    const other = await gateway.createAccount();
    const client = clientOf(other.key);
    const files = [];
    for (const purpose of ["batch", "user_data", "batch"] as const)
      files.push((await textFile("{}\n", "x.jsonl", purpose, client)).id);
    const sentHere = await verifiedUpload(gateway, other.key);
    await call(gateway, other.key, "POST", "/uploads", { content_type: "image/png", size_bytes: 9 });
    const oldestFirst = [...files, sentHere.id];
    expect(await idsOf(client.files.list({ limit: 1 }))).toEqual(oldestFirst.toReversed());
    expect(await idsOf(client.files.list({ limit: 2, order: "asc" }))).toEqual(oldestFirst);
    expect(await idsOf(client.files.list({ limit: 10_000 }))).toHaveLength(4);
    expect(await idsOf(client.files.list({ purpose: "batch" }))).toEqual([files[2], files[0]]);
    expect(await idsOf(client.files.list({ purpose: "vision" }))).toEqual([sentHere.id]);
    expect(await refusal(openai.files.content(files[0] ?? ""))).toMatchObject({ status: 404 });
    expect(await refusal(client.files.list({ after: "nothing" }))).toMatchObject({ code: "invalid_cursor" });
  });

  it("keeps a file for the requested time, at most a day", async () => {
    const file = await toFile(Buffer.from("{}\n"), "short.jsonl");
    const short = {
      file,
      purpose: "batch",
      expires_after: { anchor: "created_at", seconds: 3_600 },
    } as const;
    const made = await openai.files.create(short);
    expect((made.expires_at ?? 0) - made.created_at).toBe(3_600);
    for (const seconds of [60, 2_592_000]) {
      const asked = openai.files.create({ ...short, expires_after: { anchor: "created_at", seconds } });
      expect(await refusal(asked)).toMatchObject({ status: 400, param: "expires_after" });
    }
    const tuned = openai.files.create({ file, purpose: "fine-tune" });
    expect(await refusal(tuned)).toMatchObject({ status: 400, param: "purpose" });
  });

  it("needs the permissions of uploads", async () => {
    const { id } = await textFile("{}\n");
    const stranger = await keyOf(["inference", "predictions"]);
    for (const refused of [
      () => stranger.files.list(),
      () => stranger.files.retrieve(id),
      () => stranger.files.content(id),
      () => stranger.files.delete(id),
      () => textFile("{}\n", "x.jsonl", "batch", stranger),
    ])
      expect(await refusal(refused())).toMatchObject({ status: 403, code: "insufficient_scope" });
  });
});

const chat = "/v1/chat/completions";
type Endpoint = Parameters<typeof openai.batches.create>[0]["endpoint"];
const request = (custom_id: string, body: object, url: string = chat) => ({
  custom_id,
  method: "POST",
  url,
  body,
});
const hello = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }], max_tokens: 20 };
const textOf = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

async function start(
  lines: readonly unknown[],
  more: { endpoint?: Endpoint; metadata?: object; client?: OpenAI } = {},
) {
  const { endpoint = chat, metadata, client = openai } = more;
  const file = await textFile(textOf(lines), "requests.jsonl", "batch", client);
  return client.batches.create({
    ...{ input_file_id: file.id, endpoint, completion_window: "24h" },
    ...(metadata && { metadata: metadata as Record<string, string> }),
  });
}

async function ended(id: string, client = openai) {
  await expect
    .poll(async () => (await client.batches.retrieve(id)).status)
    .toMatch(/completed|failed|cancelled|expired/);
  return client.batches.retrieve(id);
}

interface Line {
  custom_id: string | null;
  line: number;
  response: { status_code: number; request_id: string; body: Record<string, unknown> } | null;
  error: { code: string; message: string } | null;
}
async function linesOf(id: string | undefined | null, client = openai): Promise<Line[]> {
  if (!id) return [];
  const text = await (await client.files.content(id)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

describe("openai.batches", () => {
  it("runs a file of chats; each bad line is an error with its line number", async () => {
    const batch = await start(
      [
        request("one", hello),
        "",
        "no json",
        request("two", { ...hello, temperature: "hot" }),
        request("one", hello),
        request("elsewhere", hello, "/v1/embeddings"),
        request("unknown", { ...hello, model: "svc/none" }),
        { custom_id: "bare", method: "GET", url: chat, body: hello },
        request("streamed", { ...hello, stream: true }),
        request("last", hello),
      ],
      { metadata: { job: "nightly" } },
    );
    expect(batch).toMatchObject({
      ...{ object: "batch", endpoint: chat, completion_window: "24h", status: "in_progress", errors: null },
      ...{ metadata: { job: "nightly" }, model: "svc/chat-1", output_file_id: null, error_file_id: null },
    });
    expect((batch.expires_at ?? 0) - batch.created_at).toBe(86_400);
    const done = await ended(batch.id);
    expect(done).toMatchObject({
      ...{ status: "completed", request_counts: { total: 9, completed: 2, failed: 7 } },
      ...{ output_file_id: `${batch.id}_output`, error_file_id: `${batch.id}_errors` },
    });
    const output = await linesOf(done.output_file_id);
    expect(output).toMatchObject([
      { custom_id: "one", line: 1, error: null, response: { status_code: 200 } },
      { custom_id: "last", line: 10, error: null, response: { status_code: 200 } },
    ]);
    expect(output[0]?.response?.body).toMatchObject({ object: "chat.completion", model: "svc/chat-1" });
    const errors = await linesOf(done.error_file_id);
    expect(errors.map(({ line, custom_id, error }) => [line, custom_id, error?.code])).toEqual([
      [3, null, "invalid_json"],
      [4, "two", "invalid_parameter"],
      [5, "one", "invalid_parameter"],
      [6, "elsewhere", "invalid_parameter"],
      [7, "unknown", "model_not_found"],
      [8, "bare", "invalid_parameter"],
      [9, "streamed", "invalid_parameter"],
    ]);
    expect(errors[2]?.error?.message).toContain("line 1");
    expect((await openai.files.retrieve(`${batch.id}_output`)).purpose).toBe("batch_output");
    const listed = await idsOf(openai.files.list({ purpose: "batch_output" as "batch" }));
    expect(listed).toEqual([`${batch.id}_output`, `${batch.id}_errors`]);
    const { body } = await call(gateway, account.session, "GET", `/batches/${batch.id}?shape=gatehouse`);
    expect(body).toMatchObject({
      ...{ kind: "table", status: "finished", counts: { total: 9, succeeded: 2, failed: 7 } },
      openai: { endpoint: chat, metadata: { job: "nightly" }, output_file_id: `${batch.id}_output` },
    });
  });

  it.each([
    [
      "/v1/responses",
      { model: "svc/chat-1", input: "Hello", instructions: "Be brief." },
      { object: "response", status: "completed" },
    ],
    [
      "/v1/images/generations",
      { model: "svc/img-gen-a-1", prompt: "A pine", response_format: "b64_json" },
      { data: [{ b64_json: expect.any(String) }] },
    ],
    [
      "/v1/images/edits",
      { model: "svc/img-gen-a-1", prompt: "At night", image: landscapeImage },
      { data: [{ url: expect.stringContaining("/v1/files/") }] },
    ],
    [
      "/v1/images/generations",
      { model: "svc/img-gen-b", prompt: "A pine", quality: "low", size: "1024x1024", output_format: "png" },
      { data: [{ url: expect.stringContaining("/v1/files/") }] },
    ],
  ] as const)("runs %s (%#)", async (endpoint, body, answer) => {
    const { id } = await start([request("a", body, endpoint)], { endpoint });
    const { status, output_file_id, error_file_id } = await ended(id);
    expect(await linesOf(error_file_id)).toEqual([]);
    expect(status).toBe("completed");
    expect(await linesOf(output_file_id)).toMatchObject([{ custom_id: "a", response: { body: answer } }]);
  });

  it("refuses a file without a usable model, and a file of the wrong type", async () => {
    expect(await refusal(start([request("a", { messages: [] }), "x"]))).toMatchObject({
      ...{ status: 400, param: "input_file_id", message: expect.stringContaining("Line 1: body.model") },
    });
    expect(await refusal(start([""]))).toMatchObject({ status: 400 });
    const table = await textFile("prompt\nHello\n", "rows.csv");
    const of = (fields: object) =>
      refusal(
        openai.batches.create({
          ...{ input_file_id: table.id, endpoint: chat, completion_window: "24h" },
          ...fields,
        }),
      );
    expect(await of({})).toMatchObject({ code: "upload_not_usable", param: "input_file_id" });
    expect(await of({ input_file_id: "file-abc" })).toMatchObject({ code: "upload_not_usable" });
    expect(await of({ endpoint: "/v1/moderations" })).toMatchObject({
      code: "invalid_parameter",
      param: "endpoint",
    });
    expect(await of({ completion_window: "7d" })).toMatchObject({ param: "completion_window" });
    expect(await of({ endpoint: undefined })).toMatchObject({ code: "missing_parameter", param: "endpoint" });
    expect(await of({ metadata: { a: 1 } })).toMatchObject({ param: "metadata.a" });
  });

  it("is returned in the shape in which it was created, unless the list is filtered", async () => {
    const other = await gateway.createAccount();
    const client = clientOf(other.key);
    const { id } = await start([request("a", hello)], { client });
    const rows = [{ prompt: "Hello" }];
    const { body: own } = await call(gateway, other.key, "POST", "/batches", { model: "svc/chat-1", rows });
    expect(await idsOf(client.batches.list({ limit: 1 }))).toEqual([own.id, id]);
    await ended(id, client);
    const get = async (path: string) => (await call(gateway, other.key, "GET", path)).body;
    const shapes = async (path: string) =>
      ((await get(path)).data as { endpoint?: string }[]).map(({ endpoint }) => endpoint ?? null);
    expect(await shapes("/batches")).toEqual([null, chat]);
    for (const query of ["shape=gatehouse", "kind=table", "model=svc/chat-1"])
      expect(await shapes(`/batches?${query}`)).toEqual([null, null]);
    expect(await get(`/batches/${own.id}`)).toMatchObject({ kind: "table", openai: null });
    expect(await get(`/batches/${id}`)).toMatchObject({ endpoint: chat, status: "completed" });
  });

  it("can be canceled; rows that had not run are then in the error file", async () => {
    const file = await textFile(textOf(Array.from({ length: 200 }, (_, at) => request(`${at}`, hello))));
    const { id } = await openai.batches.create({
      ...{ input_file_id: file.id, endpoint: chat, completion_window: "24h" },
    });
    const canceled = await openai.batches.cancel(id);
    expect(["cancelling", "cancelled"]).toContain(canceled.status);
    const done = await ended(id);
    expect(done).toMatchObject({ status: "cancelled", cancelled_at: expect.any(Number) });
    const errors = await linesOf(done.error_file_id);
    expect(errors[0]).toMatchObject({ response: null, error: { code: "batch_canceled" } });
    expect(errors.length + (await linesOf(done.output_file_id)).length).toBe(200);
  });

  it("has an output file that can be deleted, which also needs the permissions of predictions", async () => {
    const done = await ended((await start([request("a", hello)])).id);
    const output = done.output_file_id ?? "";
    const uploads = await keyOf(["uploads"]);
    expect(await refusal(uploads.files.content(output))).toMatchObject({ code: "insufficient_scope" });
    expect(await idsOf(uploads.files.list({ purpose: "batch_output" as "batch" }))).toEqual([]);
    expect(await refusal(openai.files.delete(`${done.id}_errors`))).toMatchObject({ status: 410 });
    const stranger = clientOf((await gateway.createAccount()).key);
    for (const read of [() => stranger.files.content(output), () => stranger.batches.retrieve(done.id)])
      expect(await refusal(read())).toMatchObject({ status: 404 });
    expect(await openai.files.delete(output)).toMatchObject({ id: output, deleted: true });
    expect(await refusal(openai.files.content(output))).toMatchObject({
      status: 410,
      code: "payload_purged",
    });
    const { body } = await call(gateway, account.session, "GET", "/audit_logs");
    expect((body.data as object[])[0]).toMatchObject({ action: "batch.output_deleted", target_id: done.id });
  });

  it("reports a line that is too long and runs the next one; refuses too many lines", async () => {
    const long = request("long", { ...hello, messages: [{ role: "user", content: "x".repeat(4_000_000) }] });
    const wide = request("wide", { ...hello, messages: [{ role: "user", content: "é".repeat(100_000) }] });
    const { id } = await start([`\uFEFF${JSON.stringify(request("first", hello))}`, long, wide]);
    const done = await ended(id);
    expect(await linesOf(done.output_file_id)).toMatchObject([{ custom_id: "first" }, { custom_id: "wide" }]);
    expect(await linesOf(done.error_file_id)).toMatchObject([
      { custom_id: null, line: 2, response: null, error: { code: "input_too_large" } },
    ]);
    const many = Array.from({ length: 1_001 }, (_, at) => request(`${at}`, hello));
    expect(await refusal(start(many))).toMatchObject({
      ...{ status: 400, code: "input_too_large", param: "input_file_id" },
    });
  });

  it("refuses a file of line breaks at once", async () => {
    const { id } = await textFile("\n".repeat(15_900_000));
    const before = process.cpuUsage();
    const starting = openai.batches.create({
      ...{ input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" },
    });
    expect(await refusal(starting)).toMatchObject({
      ...{ status: 400, code: "input_too_large", param: "input_file_id" },
    });
    // Reading every line took half a minute.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });

  it("reports a line with too many values; refuses a file with too many in total", async () => {
    const values = (count: number) => Array(count).fill(0);
    const { id } = await start([request("a", { ...hello, x: values(250_001) }), request("b", hello)]);
    const { request_counts, error_file_id } = await ended(id);
    expect(request_counts).toMatchObject({ completed: 1, failed: 1 });
    expect(await linesOf(error_file_id)).toMatchObject([{ line: 1, error: { code: "request_too_large" } }]);
    const lines = ["a", "b", "c"].map((name) => request(name, { ...hello, x: values(100_000) }));
    expect(await refusal(start(lines))).toMatchObject({ status: 413, code: "request_too_large" });
  });

  it("ends after 24 hours; its answers stay until the batch's data is removed", async () => {
    const { id } = await start(Array.from({ length: 300 }, (_, at) => request(`${at}`, hello)));
    await expect
      .poll(async () => (await openai.batches.retrieve(id)).request_counts?.completed)
      .toBeGreaterThan(0);
    await call(gateway, account.session, "POST", `/batches/${id}/pause`);
    const { queries } = gateway.context.database;
    await queries
      .update(batches)
      .set({ deadlineAt: new Date(0) })
      .where(eq(batches.id, id));
    await batchDeadlineSweep.run(gateway.context);
    const done = await ended(id);
    expect(done).toMatchObject({ status: "expired", expired_at: expect.any(Number) });
    expect(done.errors?.data?.[0]?.message).toContain("24 hours");
    expect((await linesOf(done.error_file_id))[0]).toMatchObject({
      ...{ response: null, error: { code: "batch_expired" } },
    });
    const { body } = await call(gateway, account.session, "GET", `/batches/${id}?shape=gatehouse`);
    expect(body.first_output_expires_at).toBe(body.expires_at);
  });

  it("reruns failed lines, but not those that could not be read", async () => {
    const { id } = await start([request("a", hello), "no json", request("b", { ...hello, n: "many" })]);
    await ended(id);
    const again = await call(gateway, account.session, "POST", `/batches/${id}/retry_failed`);
    expect(again.body).toMatchObject({ status: "running", counts: { failed: 1, succeeded: 1 } });
    const done = await ended(id);
    const errors = await linesOf(done.error_file_id);
    expect(errors.map(({ line, error, response }) => [line, error?.code ?? response?.status_code])).toEqual([
      ...[
        [2, "invalid_json"],
        [3, 400],
      ],
    ]);
  });

  it("is created once per Idempotency-Key, and can name an alias", async () => {
    await call(gateway, account.session, "POST", "/aliases", { name: "quick", models: ["svc/chat-1"] });
    const file = await textFile(textOf([request("a", { ...hello, model: "quick" })]));
    const make = () =>
      openai.batches.create(
        { input_file_id: file.id, endpoint: chat, completion_window: "24h" },
        { headers: { "idempotency-key": "once" } },
      );
    const [first, second] = [await make(), await make()];
    expect(second.id).toBe(first.id);
    expect(first).toMatchObject({ model: "svc/chat-1" });
    await openai.files.delete(file.id);
    expect((await ended(first.id)).request_counts).toMatchObject({ total: 1, completed: 1 });
  });

  it("turns each hostile line into an error for that line", async () => {
    const bad = Buffer.concat([
      Buffer.from(JSON.stringify(request("latin", hello)).replace("Hello", "H")),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('"}'),
    ]);
    const lines = [
      JSON.stringify(request("good", hello)),
      JSON.stringify(request("zero\u0000", hello)),
      JSON.stringify(request("half\ud800", hello)),
      JSON.stringify(request("model", { ...hello, model: "a\u0000b" })),
      JSON.stringify(request("long", { ...hello, model: "m".repeat(100_000) })),
      JSON.stringify(request("proto", hello)).replace('"max_tokens"', '"__proto__"'),
      JSON.stringify(request("deep", { ...hello, x: JSON.parse("[".repeat(150) + "]".repeat(150)) })),
      JSON.stringify({ ...request("x", hello), custom_id: 7 }),
      JSON.stringify(request("c".repeat(201), hello)),
      JSON.stringify([request("list", hello)]),
      "null",
    ];
    const text = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\n`), bad]);
    const file = await openai.files.create({ file: await toFile(text, "x.jsonl"), purpose: "batch" });
    const { id } = await openai.batches.create({
      ...{ input_file_id: file.id, endpoint: chat, completion_window: "24h" },
    });
    const done = await ended(id);
    expect(done.request_counts).toEqual({ total: lines.length + 1, completed: 1, failed: lines.length });
    const errors = await linesOf(done.error_file_id);
    expect(errors.map(({ line, error }) => [line, error?.code])).toEqual([
      [2, "invalid_parameter"],
      [3, "invalid_parameter"],
      [4, "invalid_parameter"],
      [5, "model_not_found"],
      [6, "invalid_parameter"],
      [7, "invalid_parameter"],
      [8, "invalid_parameter"],
      [9, "invalid_parameter"],
      [10, "invalid_json"],
      [11, "invalid_json"],
      [12, "invalid_json"],
    ]);
    expect(Math.max(...errors.map(({ error }) => error?.message.length ?? 0))).toBeLessThan(1_100);
  });
});
