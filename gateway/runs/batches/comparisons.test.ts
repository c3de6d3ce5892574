import { expect, it, vi } from "vitest";
import type { Batch, BatchCheck, BatchRow } from "#contract/batches.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { duskImage, landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount("adult", "portrait_rights"));

const send = (path: string, body?: unknown, bearer = account.session) =>
  call(gateway, bearer, "POST", path, body);
const readRows = async (id: string) =>
  (await call(gateway, account.session, "GET", `/batches/${id}/rows`)).body.data as BatchRow[];

const kind = "comparison";
const chat = { model: "svc/chat-1", api_type: "chat-completions" };
const swap = { model: "svc/swap-1", api_type: "image-editing", image: [landscapeImage, duskImage] };

async function start(body: object): Promise<Batch> {
  const answer = await send("/batches", { ...chat, kind, ...body });
  expect(answer).toMatchObject({ status: 202 });
  return answer.body as unknown as Batch;
}

function ends(id: string): Promise<Batch> {
  return vi.waitFor(
    async () => {
      const { body } = await call(gateway, account.session, "GET", `/batches/${id}`);
      expect(body).toMatchObject({ status: "finished" });
      return body as unknown as Batch;
    },
    { interval: 50 },
  );
}

it("runs one input on operations of every kind, sync and async, with metadata and previews", {
  timeout: 90_000,
}, async () => {
  const { reference } = await verifiedUpload(gateway, account.key);
  const rows = [
    { ...chat, prompt: "Describe a pine" },
    { model: "svc/tts-b-1", api_type: "text-to-speech", input: "A pine" },
    { model: "svc/img-gen-a-1", api_type: "image-generation", prompt: "a pine" },
    { model: "svc/img-gen-a-1", api_type: "image-editing", prompt: "a pine", image: [reference] },
    {
      ...{ model: "svc/adult-i2v-2", api_type: "video-generation", prompt: "a pine", image: reference },
      ...{ duration: 5, metadata: { subject: "pine" } },
    },
  ];
  const check = (await send("/batches/check", { ...chat, kind, rows })).body as unknown as BatchCheck;
  expect(check).toMatchObject({ ok: true, rows: 5, ignored: [], most_cost: { amount: "0" } });
  const made = await start({ rows, name: "A pine" });
  expect(made).toMatchObject({ kind, model: "svc/chat-1", picked_row: null, counts: { total: 5 } });
  expect(new Set(made.models)).toEqual(new Set(rows.map(({ model }) => model)));
  const done = await ends(made.id);
  const found = await readRows(made.id);
  expect(found.map(({ error }) => error)).toEqual(rows.map(() => null));
  expect(done.counts).toMatchObject({ succeeded: 5 });
  expect(found.map(({ api_type }) => api_type)).toEqual(rows.map(({ api_type }) => api_type));
  expect(found.every(({ input }) => input !== null && !("api_type" in input) && !("model" in input))).toBe(
    true,
  );
  expect(found[0]?.text).toEqual(expect.any(String));
  const [, speech, picture, edited, video] = found;
  expect([speech, picture, edited, video].map((row) => row?.data?.[0]?.content_type)).toEqual([
    expect.stringMatching(/^audio\//),
    expect.stringMatching(/^image\//),
    expect.stringMatching(/^image\//),
    "video/mp4",
  ]);
  for (const row of [picture, edited, video])
    expect(row?.data?.[0]?.preview_url).toEqual(expect.stringContaining("/previews/"));
  const prediction = await call(gateway, account.session, "GET", `/predictions/${video?.run_id}`);
  expect(prediction.body).toMatchObject({ api_type: "video-generation", metadata: { subject: "pine" } });
  const listed = await call(gateway, account.session, "GET", "/batches?kind=comparison");
  expect((listed.body.data as Batch[]).map(({ id }) => id)).toEqual([made.id]);
  expect((await call(gateway, account.session, "GET", "/batches?kind=table")).body.data).toEqual([]);
});

it("counts each row as a run of its own operation", async () => {
  const other = await gateway.createAccount();
  const { body } = await send(
    "/batches",
    {
      ...chat,
      kind,
      rows: [{ prompt: "One" }, { model: "svc/tts-b-1", api_type: "text-to-speech", input: "One" }],
    },
    other.session,
  );
  await vi.waitFor(
    async () => {
      const { rows } = await gateway.context.database.pool.query<{ operation: string }>(
        `select operation from figure_additions where account_id = $1 and kind = 'run' and operation <> ''
         union select operation from figure_series where account_id = $1 and kind = 'run' and operation <> '' order by 1`,
        [other.accountId],
      );
      expect(rows.map(({ operation }) => operation)).toEqual(["chat-completions", "text-to-speech"]);
    },
    { interval: 100 },
  );
  expect(body).toMatchObject({ kind });
});

it("refuses an invalid comparison, and names the rows that cannot run", async () => {
  const row = { prompt: "a" };
  const refused: [object, string][] = [
    [{ csv: "prompt\na" }, "invalid_parameter"],
    [{ rows: Array.from({ length: 9 }, () => row) }, "input_too_large"],
  ];
  for (const [body, code] of refused)
    expect(await send("/batches", { ...chat, kind, ...body })).toMatchObject(refusal(400, code));
  const rows = [
    row,
    { ...row, api_type: "poetry" },
    { ...row, api_type: "image-generation" },
    { model: "svc/img-gen-b", api_type: "image-generation", prompt: "a" },
    { ...swap, person_rights_confirmed: false },
  ];
  const { body } = await send("/batches/check", { ...chat, kind, rows });
  expect((body as unknown as BatchCheck).faults.map(({ row, code }) => [row, code])).toEqual([
    [2, "invalid_parameter"],
    [3, "operation_not_supported"],
    [4, "missing_parameter"],
    [4, "missing_parameter"],
    [4, "missing_parameter"],
    [5, "person_rights_confirmation_required"],
  ]);
  // In a table `api_type` is a column like any other.
  const table = await send("/batches/check", { ...chat, rows: [{ ...row, api_type: "poetry" }] });
  expect(table.body).toMatchObject({ ok: true, ignored: ["api_type"] });
  const stranger = await gateway.createAccount();
  const gated = await send(
    "/batches/check",
    { ...chat, kind, rows: [row, { ...swap, person_rights_confirmed: true }] },
    stranger.session,
  );
  expect(gated.body).toMatchObject({ faults: [{ row: 2, code: "adult_attestation_required" }] });
});

it("a withdrawn attestation fails only the rows that require it; rerunning one needs a new confirmation", {
  timeout: 90_000,
}, async () => {
  const rows = [
    ...Array.from({ length: 3 }, () => ({
      model: "svc/img-gen-a-1",
      api_type: "image-generation",
      prompt: "a",
    })),
    { ...swap, person_rights_confirmed: true },
    { prompt: "Name a tree" },
    { ...swap, person_rights_confirmed: true },
  ];
  const { id } = await start({ rows, concurrency: 1 });
  await call(gateway, account.session, "DELETE", "/account/attestations/portrait_rights");
  const done = await ends(id);
  expect(done).toMatchObject({ reason: null, counts: { succeeded: 4, failed: 2 } });
  expect((await readRows(id))[3]).toMatchObject({
    status: "failed",
    error: { code: "portrait_rights_attestation_required" },
  });
  await gateway.attest(account, "portrait_rights");
  const again = (body: object) => send(`/batches/${id}/retry_failed`, body);
  expect(await again({ row: 1 })).toMatchObject({ body: { status: "finished" } });
  expect((await again({ row: 4 })).body.error).toMatchObject(asking(4));
  expect((await again({})).body.error).toMatchObject(asking(4, 6));
  expect(await again({ person_rights_confirmed: true })).toMatchObject({
    body: { status: "running", counts: { failed: 0 } },
  });
  expect((await ends(id)).counts).toMatchObject({ succeeded: 6 });
  expect(await confirmedRows(id, "batch.retried")).toEqual([4, 6]);
});

/** The expected refusal when somebody lets these rows run without confirming them. */
function asking(...rows: number[]) {
  return {
    code: "person_rights_confirmation_required",
    param: "person_rights_confirmed",
    details: rows.map((row) => expect.objectContaining({ message: `Row ${row} runs svc/swap-1.` })),
  };
}

async function confirmedRows(id: string, action: string): Promise<unknown> {
  const { rows } = await gateway.context.database.pool.query(
    "select detail -> 'person_rights_confirmed_rows' as covered from audit_logs where target_id = $1 and action = $2",
    [id, action],
  );
  return rows[0]?.covered;
}

it("resuming a comparison needs a confirmation for the waiting rows, and lists them", {
  timeout: 90_000,
}, async () => {
  const slow = { model: "svc/img-gen-a-1", api_type: "image-generation", prompt: "a" };
  const rows = [slow, slow, { ...swap, person_rights_confirmed: true }];
  const { id } = await start({ rows, concurrency: 1 });
  await send(`/batches/${id}/pause`);
  const colleague = await gateway.addMember(account, "owner");
  await gateway.attest({ ...account, userId: colleague.userId }, "adult", "portrait_rights");
  const resume = (body: object) => send(`/batches/${id}/resume`, body, colleague.session);
  expect((await resume({})).body.error).toMatchObject(asking(3));
  expect((await resume({ person_rights_confirmed: true })).body).toMatchObject({ status: "running" });
  expect((await ends(id)).counts).toMatchObject({ succeeded: 3 });
  expect(await confirmedRows(id, "batch.resumed")).toEqual([3]);
});

it("remembers which row is the best, for everybody in the account", async () => {
  const { id } = await start({ rows: [{ prompt: "One" }, { prompt: "Two" }] });
  const pick = (row: number | null) => send(`/batches/${id}/pick`, { row });
  expect(await pick(3)).toMatchObject(refusal(400, "invalid_parameter"));
  expect(await pick(2)).toMatchObject({ status: 200, body: { picked_row: 2 } });
  expect(await pick(2)).toMatchObject({ body: { picked_row: 2 } });
  expect(await pick(null)).toMatchObject({ body: { picked_row: null } });
  const table = (await send("/batches", { ...chat, rows: [{ prompt: "One" }] })).body;
  expect(await send(`/batches/${table.id}/pick`, { row: 1 })).toMatchObject(
    refusal(400, "invalid_parameter"),
  );
  const { rows } = await gateway.context.database.pool.query(
    "select count(*)::int as count from audit_logs where target_id = $1 and action = 'batch.picked'",
    [id],
  );
  expect(rows).toEqual([{ count: 2 }]);
});
