import { hash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Output, OutputDetail } from "#contract/outputs.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import {
  releaseReservation,
  removeUnlessReserved,
  reservedFileSweep,
  reserveFiles,
} from "#gateway/files/storage/remove-files.ts";
import { uploadSweep } from "#gateway/files/uploads/expire.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { duskImage } from "#gateway/models/catalog/example-media.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { outputHistorySweep } from "#gateway/runs/provenance/record.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { keptOutputSweep } from "./library.ts";

const picture = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };

const gateway = shared(startTestGateway);
const account = fresh(() => gateway.createAccount("adult", "portrait_rights"));
afterEach(() => {
  Object.assign(gateway.context.config, { keepOutputs: true, keptDays: 0 });
});

const sql = (text: string, ...values: unknown[]) => gateway.context.database.pool.query(text, values);
const send = (method: string, path: string, body?: unknown, bearer = account.key) =>
  call(gateway, bearer, method, path, body);
const keep = (id: string, body: object = {}, bearer = account.key) =>
  send("POST", `/outputs/${id}/keep`, body, bearer);
const read = async (id: string, bearer = account.key) =>
  (await send("GET", `/outputs/${id}`, undefined, bearer)).body as unknown as OutputDetail;
const listed = async (query: string, bearer = account.key) =>
  (await send("GET", `/outputs?${query}`, undefined, bearer)).body.data as Output[];
const bytesAt = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

const swap = { model: "svc/swap-1", person_rights_confirmed: true };
const attest = (kind: "adult" | "portrait_rights", bearer: string) =>
  send(
    "POST",
    "/account/attestations",
    { kind, statement_version: statements[kind].version, confirmed: true },
    bearer,
  );

/** The output of a prediction whose input contains an upload and a data URI. */
async function edited(): Promise<Output> {
  const upload = await verifiedUpload(gateway, account.key);
  const body = { ...swap, image: [duskImage, upload.reference] };
  const run = await call(gateway, account.key, "POST", "/images/edits", body, { prefer: "wait=30" });
  expect(run.body).toMatchObject({ status: "succeeded" });
  return only(await listed(`prediction_id=${run.body.id}`));
}

async function pictured(): Promise<Output> {
  const { status } = await send("POST", "/images/generations", picture);
  expect(status).toBe(200);
  return only(await listed("limit=1"));
}

function only<Item>([first]: Item[]): Item {
  if (!first) throw new Error("nothing was listed");
  return first;
}

/** Simulates 25 hours. */
async function aDayLater(): Promise<void> {
  for (const table of ["predictions", "generations", "outputs"])
    await sql(
      `update ${table} set expires_at = now() - interval '1 hour' where account_id = $1`,
      account.accountId,
    );
  await sql("update uploads set object_expires_at = now() where account_id = $1", account.accountId);
  for (const sweep of [predictionSweep, reservedFileSweep, uploadSweep])
    await sweepAll(gateway.context, sweep);
}

async function stored(): Promise<number> {
  const { rows } = await sql("select bytes from account_storage where account_id = $1", account.accountId);
  return Number(rows[0]?.bytes ?? 0);
}

async function keptKeys(): Promise<string[]> {
  const { rows } = await sql("select key, media from kept_outputs where account_id = $1", account.accountId);
  return rows.flatMap(({ key, media }) => [key, ...media.map((file: { key: string }) => file.key)]);
}

const isThere = async (key: string) => (await gateway.context.store.head(key)) !== null;

describe("a kept output", () => {
  it("is shared with its prompt, previewed and found when its run's file is gone", async () => {
    const original = await pictured();
    const { prompt } = picture;
    await keep(original.id, { api_type: "image-generation", input: { prompt } });
    await aDayLater();
    const made = await send("POST", `/outputs/${original.id}/shares`, {
      expires_in: 3_600,
      show_prompt: true,
    });
    expect(made.status).toBe(201);
    const shared = await call(gateway, null, "GET", `/shared/${String(made.body.url).split("/").at(-1)}`);
    const [file] = shared.body.files as { url: string; prompt: string; expires_at: string | null }[];
    expect(file).toMatchObject({ prompt, expires_at: null, sandbox: true });
    expect(hash("sha256", await bytesAt(file?.url ?? ""))).toBe(original.provenance.sha256);
    expect((await send("GET", "/shares")).body.data).toMatchObject([
      { outputs: [{ id: original.id, expires_at: null, removed: false }] },
    ]);
    const kept = only(await listed("kept=true&search=lighthouse"));
    expect((await fetch(kept.preview_url ?? "")).headers.get("content-type")).toBe("image/webp");
  });

  it("stays byte for byte when its run's file is gone, and runs again", async () => {
    const original = await edited();
    const colleague = await gateway.addMember(account, "member");
    for (const kind of ["adult", "portrait_rights"] as const) await attest(kind, colleague.session);
    const kept = await keep(original.id, { labels: [" Sailors ", "Sailors", "dusk"] }, colleague.session);
    expect(kept.status).toBe(200);
    const before = await bytesAt(original.url);
    await aDayLater();

    expect((await fetch(String(original.url))).status).toBe(410);
    expect(await listed("")).toEqual([]);
    const output = only(await listed("kept=true"));
    expect(output).toMatchObject({
      id: original.id,
      prediction_id: original.prediction_id,
      model: swap.model,
      gated: null,
      provenance: { sha256: original.provenance.sha256, state: "absent" },
      kept_until: null,
      kept: {
        kept_by: { user: { id: colleague.userId }, key: null },
        labels: ["Sailors", "dusk"],
        api_type: "image-editing",
      },
    });
    const bytes = await bytesAt(output.url);
    expect(bytes.equals(before)).toBe(true);
    expect(hash("sha256", bytes)).toBe(original.provenance.sha256);

    const { input } = await read(original.id);
    // The input lacks fields that must be given again for every run.
    expect(input).toEqual({ image: [expect.any(String), expect.any(String)] });
    const order = { ...input, ...swap };
    const again = await call(gateway, account.key, "POST", "/images/edits", order, { prefer: "wait=30" });
    expect(again.body.status).toBe("succeeded");
  });

  it("has the prompt and the parameters of its prediction", async () => {
    const input = { prompt: "two sailors", quality: "low", size: "1024x1024", output_format: "png" };
    const run = await call(
      gateway,
      account.key,
      "POST",
      "/images/generations",
      { model: "svc/img-gen-b", ...input },
      { prefer: "wait=30" },
    );
    const { id } = only(await listed(`prediction_id=${run.body.id}`));
    expect((await keep(id)).body.kept).toMatchObject({ prompt: "two sailors" });
    expect(await read(id)).toMatchObject({ input });
  });

  it("can be an input itself, of its own account only", async () => {
    const { id } = await pictured();
    const { url } = (await keep(id)).body;
    const order = { model: "svc/swap-1", image: [url, duskImage], person_rights_confirmed: true };
    expect((await send("POST", "/images/edits", order)).status).toBe(202);
    const stranger = await gateway.createAccount();
    await gateway.attest(stranger, "adult", "portrait_rights");
    expect(await send("POST", "/images/edits", order, stranger.key)).toMatchObject(
      refusal(400, "media_fetch_failed"),
    );
  });

  it("of a sync run has the input that the caller sends", async () => {
    const { id } = await pictured();
    const { model, ...input } = picture;
    expect(await keep(id, { input })).toMatchObject(refusal(400, "missing_parameter"));
    const body = { input: { ...input, image: duskImage }, api_type: "image-generation" };
    expect((await keep(id, body)).body.kept).toMatchObject({
      prompt: picture.prompt,
      api_type: "image-generation",
    });
    expect((await read(id)).input).toEqual({ ...input, image: null });
    const other = await pictured();
    expect((await keep(other.id)).body.kept).toMatchObject({ prompt: null, api_type: null });
    expect((await read(other.id)).input).toBeNull();
    expect(model).toBe((await read(id)).model);
    const run = await edited();
    expect(await keep(run.id, body)).toMatchObject(refusal(400, "invalid_parameter"));
  });

  it("is kept once, even by several simultaneous requests; the last labels win", async () => {
    const { id } = await pictured();
    const answers = await Promise.all(Array.from({ length: 5 }, () => keep(id, { labels: ["one"] })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await keptKeys()).toHaveLength(1);
    const { rows } = await sql("select 1 from generations where id like 'kept/%'");
    expect(rows).toEqual([]);
    expect((await keep(id, { labels: ["two"] })).body.kept).toMatchObject({ labels: ["two"] });
    expect((await keep(id)).body.kept).toMatchObject({ labels: ["two"] });
    const { body } = await send("GET", "/audit_logs", undefined, account.session);
    const actions = (body.data as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action === "output.kept")).toHaveLength(1);
    expect((await send("GET", "/outputs/labels")).body.data).toEqual([
      {
        ...{ label: "two", count: 1 },
        newest: { content_type: "image/png", preview_url: expect.any(String), gated: null },
      },
    ]);
  });

  it("is not found by the id of its prediction, and the answer names the call that lists its outputs", async () => {
    const { run_id: run } = await edited();
    const { status, body } = await keep(run);
    expect([status, body.error]).toMatchObject([404, { code: "output_not_found" }]);
    expect(body.error).toMatchObject({
      message: expect.stringContaining(`/v1/outputs?prediction_id=${run} `),
    });
  });

  it("can be restored by keeping it again within minutes; after that its files are removed", async () => {
    const { id } = await edited();
    await keep(id, { labels: ["sailors"] });
    await aDayLater();
    const before = await stored();
    expect((await send("DELETE", `/outputs/${id}/keep`)).status).toBe(200);
    expect(await send("DELETE", `/outputs/${id}/keep`)).toMatchObject(refusal(404, "output_not_found"));
    expect(await listed("kept=true")).toEqual([]);
    expect(await send("GET", `/outputs/${id}`)).toMatchObject(refusal(404, "output_not_found"));
    await sweepAll(gateway.context, keptOutputSweep);
    expect((await keep(id)).body.kept).toMatchObject({ labels: ["sailors"] });
    expect(await stored()).toBe(before);

    await send("DELETE", `/outputs/${id}/keep`);
    const keys = await keptKeys();
    expect(keys).toHaveLength(3);
    await sql("update kept_outputs set goes_at = now() where output_id = $1", id);
    await sweepAll(gateway.context, keptOutputSweep);
    expect(await Promise.all(keys.map(isThere))).toEqual([false, false, false]);
    expect(await stored()).toBe(0);
    expect(await keep(id)).toMatchObject(refusal(410, "payload_purged"));
  });

  it("has a separate retention, up to the operator's limit", async () => {
    const { id } = await pictured();
    Object.assign(gateway.context.config, { keptDays: 30 });
    expect(await keep(id, { keep_days: 31 })).toMatchObject(refusal(400, "invalid_parameter"));
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(String((await keep(id)).body.kept_until)).toContain(inDays(30));
    expect(String((await keep(id, { keep_days: 2 })).body.kept_until)).toContain(inDays(2));
    expect(String((await keep(id, { labels: ["x"] })).body.kept_until)).toContain(inDays(2));
    expect(String((await keep(id, { keep_days: null })).body.kept_until)).toContain(inDays(30));
    await sql("update kept_outputs set kept_until = now() where output_id = $1", id);
    expect(await listed("kept=true")).toEqual([]);
    const [key = ""] = await keptKeys();
    await sweepAll(gateway.context, keptOutputSweep);
    expect([await isThere(key), await keptKeys()]).toEqual([false, []]);
  });

  it("stays in the database after the history's end, until it is removed from the library", async () => {
    const { id } = await pictured();
    await keep(id);
    await aDayLater();
    const { rows } = await sql("select key, manifest from outputs where id = $1", id);
    expect(rows).toMatchObject([{ key: null, manifest: { state: "absent" } }]);
    const { history } = gateway.context;
    const longAfter = { ...gateway.context, history: { ...history, auditDays: -1 } };
    await sweepAll(longAfter, outputHistorySweep);
    expect(only(await listed("kept=true")).id).toBe(id);
    await send("DELETE", `/outputs/${id}/keep`);
    await sql("update kept_outputs set goes_at = now()");
    await sweepAll(gateway.context, keptOutputSweep);
    await sweepAll(longAfter, outputHistorySweep);
    expect((await sql("select 1 from outputs where id = $1", id)).rows).toEqual([]);
  });
});

describe("the library", () => {
  it("is searched by words, label and model, and has pages", async () => {
    const prompts = ["A red lighthouse", "Leuchttürme bei Nacht", "夜の灯台", "a lightbulb"];
    for (const [index, prompt] of prompts.entries()) {
      const { id } = await pictured();
      const labels = index % 2 === 0 ? ["even", `n${index}`] : ["odd"];
      await keep(id, { labels, api_type: "image-generation", input: { prompt } });
    }
    const found = async (query: string) =>
      (await listed(`kept=true&${query}`)).map(({ kept }) => prompts.indexOf(kept?.prompt ?? ""));
    expect(await found("")).toEqual([3, 2, 1, 0]);
    expect(await found("search=LIGHT")).toEqual([3, 0]);
    expect(await found("search=light%20red")).toEqual([0]);
    expect(await found("search=leuchtturme")).toEqual([1]);
    expect(await found(`search=${encodeURIComponent("灯台")}`)).toEqual([2]);
    expect(await found(`search=${encodeURIComponent("' | !:*")}`)).toEqual([]);
    expect(await found("label=even")).toEqual([2, 0]);
    expect(await found("label=even&search=light")).toEqual([0]);
    expect(await found("model=svc/none")).toEqual([]);
    expect(await found(`model=${picture.model}&limit=1`)).toEqual([3]);
    const all = await listed("kept=true");
    expect(await found(`after=${all[1]?.id}&limit=1`)).toEqual([1]);
    expect(await found(`before=${all[2]?.id}&label=odd`)).toEqual([3]);
    expect(await send("GET", "/outputs?search=x")).toMatchObject(refusal(400, "invalid_parameter"));
    expect((await send("GET", "/outputs/labels")).body.data).toMatchObject([
      { label: "even", count: 2 },
      { label: "odd", count: 2 },
      { label: "n0", count: 1 },
      { label: "n2", count: 1 },
    ]);
  });

  it("belongs to one account", async () => {
    const { id } = await pictured();
    await keep(id, { labels: ["mine"] });
    const stranger = await gateway.createAccount();
    expect(await listed("kept=true", stranger.key)).toEqual([]);
    expect((await send("GET", "/outputs/labels", undefined, stranger.key)).body.data).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/keep"],
      ["DELETE", "/keep"],
    ] as const)
      expect(
        await send(method, `/outputs/${id}${path}`, method === "POST" ? {} : undefined, stranger.key),
      ).toMatchObject(refusal(404, "output_not_found"));
  });

  it("shows files of gated models and their input only to people who have attested", async () => {
    const { id } = await edited();
    await keep(id);
    const member = await gateway.addMember(account, "member");
    for (const output of [
      only(await listed("kept=true", member.session)),
      only(await listed("", member.session)),
      await read(id, member.session),
    ])
      expect(output).toMatchObject({ id, url: null, gated: "adult", kept: { api_type: "image-editing" } });
    expect((await read(id, member.session)).input).toBeNull();
    expect(await keep(id, {}, member.session)).toMatchObject(refusal(403, "adult_attestation_required"));
    await attest("adult", member.session);
    expect(await read(id, member.session)).toMatchObject({ url: null, gated: "portrait_rights" });
    await attest("portrait_rights", member.session);
    expect(await read(id, member.session)).toMatchObject({ url: expect.any(String), gated: null });
    await send("DELETE", "/account/attestations/adult", undefined, member.session);
    expect(await read(id, member.session)).toMatchObject({ url: null, gated: "adult", input: null });
    // A model that is no longer known requires every attestation.
    const plain = await pictured();
    await keep(plain.id);
    expect((await read(plain.id, member.session)).gated).toBeNull();
    await sql("update outputs set model = 'acme/gone' where id = $1", plain.id);
    expect((await read(plain.id, member.session)).gated).toBe("adult");
  });

  it("stays within the account's storage limit, and refuses new files when it is reached", async () => {
    const output = await pictured();
    const before = await stored();
    await keep(output.id);
    expect(await stored()).toBe(before + output.size_bytes);
    const other = await pictured();
    await sql(
      "update account_storage set bytes = bytes + 19999999999 where account_id = $1",
      account.accountId,
    );
    expect(await keep(other.id)).toMatchObject(refusal(413, "storage_limit_exceeded"));
    expect(await keptKeys()).toHaveLength(1);
    expect((await sql("select 1 from generations where id like 'kept/%'")).rows).toEqual([]);
  });

  it("is off when the operator turns it off", async () => {
    const { id } = await pictured();
    Object.assign(gateway.context.config, { keepOutputs: false });
    expect(await keep(id)).toMatchObject(refusal(403, "keeping_off"));
    expect(await read(id)).toMatchObject({ kept: null, keepable: false });
  });

  it("leaves nothing behind when a process dies between copying and writing the row", async () => {
    const { id, size_bytes: sizeBytes } = await pictured();
    const before = await stored();
    const { store, database } = gateway.context;
    const { accountId } = account;
    // Simulates `copyFiles` without the final row: reserved and stored.
    const key = `kept/${id}/0123456789abcdef/run/1.png`;
    await reserveFiles(database.queries, { id: "kept/died", accountId, files: [{ key, sizeBytes }] });
    await store.put(key, Buffer.alloc(sizeBytes), { contentType: "image/png" });
    expect((await keep(id)).status).toBe(200);
    await sql("update generations set expires_at = now() where id = 'kept/died'");
    await sweepAll(gateway.context, reservedFileSweep);
    expect(await isThere(key)).toBe(false);
    const [kept = ""] = await keptKeys();
    expect(await isThere(kept)).toBe(true);
    expect(await stored()).toBe(before + sizeBytes);
  });

  it("files that are stored after their reservation ended are removed, also while a sweep ends it", async () => {
    const { store, database } = gateway.context;
    const put = async (id: string) => {
      const key = `outputs/${id}/1.png`;
      const reservation = { id, accountId: account.accountId, files: [{ key, sizeBytes: 7 }] };
      await reserveFiles(database.queries, reservation);
      await store.put(key, Buffer.from("picture"), { contentType: "image/png" });
      return reservation.files;
    };
    const key = (id: string) => `outputs/${id}/1.png`;
    await removeUnlessReserved(gateway.context, "held", await put("held"));
    expect(await isThere(key("held"))).toBe(true);

    const late = await put("late");
    await sql("delete from generations where id in ('held', 'late')");
    await removeUnlessReserved(gateway.context, "late", late);
    expect(await isThere(key("late"))).toBe(false);

    const files = await put("ending");
    let removing: Promise<void> | undefined;
    await database.transaction(async (queries) => {
      await releaseReservation(queries, "ending");
      removing = removeUnlessReserved(gateway.context, "ending", files);
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for key share%'";
      await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
    });
    await removing;
    expect(await isThere(key("ending"))).toBe(false);
    await store.delete([key("held")]);
  });
});
