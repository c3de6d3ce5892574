import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { SignedReceipt } from "#contract/receipts.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { settle } from "#gateway/runs/predictions/settle.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { currentKey, receiptKeySealSweep } from "./keys.ts";

const soon = { interval: 30 };
const picture = {
  ...{ model: "svc/img-gen-b", prompt: "waves", quality: "low", size: "1024x1024", output_format: "jpeg" },
};
const syncPicture = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };

const gateway = shared(startTestGateway);
const account = fresh(() => gateway.createAccount());

// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds are read here
type Answered = { status: number; body: any };
const send = (method: string, to: string, body?: unknown, bearer = account.key) =>
  call(gateway, bearer, method, to, body) as Promise<Answered>;
const ended = (id: string, kind = "predictions") =>
  vi.waitFor(async () => {
    const { body } = await send("GET", `/${kind}/${id}`);
    expect(["succeeded", "failed", "canceled", "completed"]).toContain(body.status);
    return body;
  }, soon);
const predicted = async (input: object = picture) => {
  const { body } = await send("POST", "/images/generations", input);
  return ended(body.id);
};
const textOf = async (to: string, bearer = account.key) => {
  const answer = await fetch(`${gateway.url}${to}`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(answer.status).toBe(200);
  return answer.text();
};
const receiptOf = async (to: string) => JSON.parse(await textOf(`${to}/receipt`)) as SignedReceipt;
const salted = ({ salt }: { salt: string }, text: string) => hash("sha256", salt + text);
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

describe("a receipt", () => {
  it("of a prediction names its run, and the hashes of its input and files", async () => {
    const prediction = await predicted({ ...picture, metadata: { order: "7" } });
    const { receipt, signature } = await receiptOf(`/predictions/${prediction.id}`);
    expect(receipt).toMatchObject({
      ...{ object: "receipt", version: 1, id: prediction.id, kind: "prediction" },
      ...{ account_id: account.accountId, model: picture.model, operation: "image-generation" },
      ...{ region: prediction.svc_region, provider: "sandbox", sandbox: true, status: "succeeded" },
      ...{ created_at: prediction.created_at, completed_at: prediction.completed_at, error_code: null },
      ...{ gates: [], output: null, cost: prediction.cost, deliveries: [] },
      issuer: gateway.url.replace("/v1", ""),
    });
    expect(receipt.input.sha256).toBe(salted(receipt.input, canonicalJson(prediction.input)));
    const [file] = receipt.output_files;
    const bytes = await bytesAt(prediction.data[0].url);
    expect(file?.sha256).toBe(salted(file ?? { salt: "" }, hash("sha256", bytes)));
    expect(signature).toMatchObject({ alg: "EdDSA", kid: (await currentKey(gateway.context)).kid });
    expect(JSON.stringify(receipt)).not.toContain("/v1/files/");
  });

  it("stays the same after the run has ended, even once its data is removed", async () => {
    const { id } = await predicted();
    const before = await receiptOf(`/predictions/${id}`);
    await send("DELETE", `/videos/${id}`);
    const after = await receiptOf(`/predictions/${id}`);
    expect(after.receipt).toMatchObject({
      input: before.receipt.input,
      output_files: before.receipt.output_files,
    });
  });

  it("of a gated run names the versions of the statements, and of a file its hash", async () => {
    await gateway.attest(account, "adult", "portrait_rights");
    const image = await bytesAt((await predicted()).data[0].url);
    const { body } = await send("POST", "/images/edits", {
      model: "svc/swap-1",
      image: [0, 1].map(() => `data:image/jpeg;base64,${image.toString("base64")}`),
      person_rights_confirmed: true,
    });
    const swapped = await ended(body.id);
    const { receipt } = await receiptOf(`/predictions/${body.id}`);
    expect(receipt.gates).toContainEqual({
      gate: "portrait_rights",
      statement_version: statements.portrait_rights.version,
    });
    expect(receipt.gates).toContainEqual({ gate: "person_rights_confirmation", statement_version: null });
    const reference = `sha256:${hash("sha256", image)}`;
    const input = canonicalJson({ ...swapped.input, image: [reference, reference] });
    expect(receipt.input.sha256).toBe(salted(receipt.input, input));
  });

  it("of a failed and of a canceled run names the status, and no files", async () => {
    const film = { model: "svc/vid-t2v", prompt: "waves", duration: 8 };
    const failed = await send("POST", "/videos", film);
    await settle(gateway.context, failed.body.id, { status: "failed", code: "upstream_error", message: "x" });
    expect((await receiptOf(`/predictions/${failed.body.id}`)).receipt).toMatchObject({
      ...{ status: "failed", error_code: "upstream_error", output_files: [] },
    });
    const { body } = await send("POST", "/videos", film);
    await send("POST", `/predictions/${body.id}/cancel`);
    const { receipt } = await receiptOf(`/predictions/${body.id}`);
    expect(receipt).toMatchObject({ status: "canceled", output_files: [], cost: { amount: "0" } });
  });

  it.each([["at once"], ["in the background"]])("of a response that was made %s", async (how) => {
    const background = how === "in the background";
    const { body } = await send("POST", "/responses", { model: "svc/chat-1", input: "Hi", background });
    const response = await ended(body.id, "responses");
    const { data } = (await send("GET", `/responses/${body.id}/input_items?order=asc`)).body;
    const { receipt } = await receiptOf(`/responses/${body.id}`);
    expect(receipt).toMatchObject({
      ...{ id: body.id, kind: "response", status: "completed", provider: "sandbox", sandbox: true },
      ...{ region: response.svc_region, operation: "chat-completions", cost: { amount: expect.anything() } },
    });
    expect(receipt.input.sha256).toBe(salted(receipt.input, canonicalJson(data)));
    const output = receipt.output ?? { salt: "", sha256: "" };
    expect(output.sha256).toBe(salted(output, canonicalJson(response.output)));
  });

  it("of a sync run is there if it stored files", async () => {
    const { body } = await send("POST", "/images/generations", syncPicture);
    const { receipt } = await receiptOf(`/predictions/${body.id}`);
    const { model, ...input } = syncPicture;
    expect(receipt).toMatchObject({
      id: body.id,
      kind: "run",
      model,
      provider: "sandbox",
      status: "succeeded",
    });
    expect(receipt.input.sha256).toBe(salted(receipt.input, canonicalJson(input)));
    const [file = null] = receipt.output_files;
    expect(file?.sha256).toBe(salted(file ?? { salt: "" }, hash("sha256", await bytesAt(body.data[0].url))));
    const chat = await send("POST", "/chat/completions", {
      ...{ model: "svc/chat-1", messages: [{ role: "user", content: "Hi" }] },
    });
    expect(await send("GET", `/predictions/${chat.body.id}/receipt`)).toMatchObject(
      refusal(404, "prediction_not_found"),
    );
  });

  it("names deliveries only to readers of deliveries", async () => {
    const url = "https://example.com/in";
    await send("POST", "/webhooks/endpoints", {
      url,
      events: ["prediction.succeeded", "response.completed"],
    });
    const { id } = await predicted();
    const response = await send("POST", "/responses", { model: "svc/chat-1", input: "Hi", background: true });
    await ended(response.body.id, "responses");
    const { receipt } = await receiptOf(`/predictions/${id}`);
    expect(receipt.deliveries).toMatchObject([{ event_type: "prediction.succeeded" }]);
    expect(JSON.stringify(receipt)).not.toContain("example.com");
    expect((await receiptOf(`/responses/${response.body.id}`)).receipt.deliveries).toMatchObject([
      { event_type: "response.completed" },
    ]);
    const key = await gateway.createKey(account.accountId, { scopes: ["predictions"] });
    const less = JSON.parse(await textOf(`/predictions/${id}/receipt`, key)) as SignedReceipt;
    expect(less.receipt.deliveries).toBeNull();
  });

  it("is refused before the run ends, to other accounts, and for runs of an earlier release", async () => {
    const { body } = await send("POST", "/videos", { model: "svc/vid-t2v", prompt: "waves", duration: 8 });
    const at = `/predictions/${body.id}/receipt`;
    expect(await send("GET", at)).toMatchObject(refusal(409, "receipt_not_available"));
    await send("POST", `/predictions/${body.id}/cancel`);
    const stranger = await gateway.createAccount();
    expect(await send("GET", at, undefined, stranger.key)).toMatchObject(
      refusal(404, "prediction_not_found"),
    );
    const { pool } = gateway.context.database;
    await pool.query("update predictions set receipt = null where id = $1", [body.id]);
    const { status, body: refused } = await send("GET", at);
    expect([status, refused.error.message]).toEqual([409, expect.stringContaining("before this gateway")]);
    for (const id of [newId("prediction"), newId("generation"), "x"])
      expect(await send("GET", `/predictions/${id}/receipt`)).toMatchObject(
        refusal(404, "prediction_not_found"),
      );
    expect(await send("GET", "/responses/resp_x/receipt")).toMatchObject(refusal(404, "response_not_found"));
  });
});

describe("the documented commands of OpenSSL", () => {
  /** The blocks of docs/receipts.md that check a receipt and compare a file. */
  const blocks = async () => {
    const text = await readFile("docs/receipts.md", "utf8");
    return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  };
  const run = async (script: string, folder: string, env: Record<string, string>) =>
    promisify(execFile)("sh", ["-e", "-c", script], { cwd: folder, env: { ...process.env, ...env } });
  const newFolder = () => mkdtemp(path.join(inject("testServer").folder, "receipts-"));

  it("accept a receipt and a file of it, and refuse a changed byte", async () => {
    // If several public keys are listed, the receipt's key id selects one.
    const operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
    await send("POST", "/operator/receipt_keys/rotate", undefined, operator);
    await send("POST", "/operator/receipt_keys/rotate", undefined, operator);
    const prediction = await predicted();
    const folder = await newFolder();
    const [check = "", compare = ""] = await blocks();
    const env = { GATEWAY: gateway.url.replace("/v1", ""), API_KEY: account.key, ID: prediction.id };
    expect((await run(check, folder, env)).stdout).toContain("Signature Verified Successfully");
    const signed = await readFile(path.join(folder, "receipt.json"), "utf8");
    const { receipt } = JSON.parse(signed) as SignedReceipt;
    const [file] = receipt.output_files;
    await writeFile(path.join(folder, "output.jpg"), await bytesAt(prediction.data[0].url));
    const compared = await run(compare, folder, { SALT: file?.salt ?? "", FILE: "output.jpg" });
    expect(compared.stdout).toContain(file?.sha256);
    const offline = check
      .split("\n")
      .filter((line) => !line.startsWith("curl"))
      .join("\n");
    await writeFile(path.join(folder, "receipt.json"), signed.replace("img-gen-b", "img-gen-c"));
    await expect(run(offline, folder, {})).rejects.toThrow(/Signature Verification Failure|Command failed/);
  });
});

it("the receipt of a deleted response stays, and nothing else of it", async () => {
  const { body } = await send("POST", "/responses", { model: "svc/chat-1", input: "Hi" });
  const at = `/responses/${body.id}`;
  const before = (await receiptOf(at)).receipt;
  expect(await send("DELETE", at)).toMatchObject({ status: 200, body: { deleted: true } });
  expect((await receiptOf(at)).receipt).toEqual({ ...before, issued_at: expect.any(String) });
  const gone = refusal(404, "response_not_found");
  expect(await send("GET", at)).toMatchObject(gone);
  expect(await send("GET", `${at}/input_items`)).toMatchObject(gone);
  expect(await send("DELETE", at)).toMatchObject(gone);
  expect(await send("POST", `${at}/cancel`)).toMatchObject(gone);
  const next = { model: "svc/chat-1", input: "And?", previous_response_id: body.id };
  expect((await send("POST", "/responses", next)).body.error.code).toBe("previous_response_not_found");
  const { rows } = await gateway.context.database.pool.query(
    "select input, response::text as response, stored_bytes from responses where id = $1",
    [body.id],
  );
  expect(rows).toEqual([{ input: [], response: expect.stringContaining('"output":[]'), stored_bytes: "0" }]);
});

describe("checking a file", () => {
  const check = async (text: string, bearer = account.key) => {
    const form = new FormData();
    form.set("file", new Blob([text]), "receipt.json");
    const response = await fetch(`${gateway.url}/outputs/verify`, {
      ...{ method: "POST", headers: { authorization: `Bearer ${bearer}` }, body: form },
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { receipt: { state: string; receipt: unknown } | null }).receipt;
  };

  it("distinguishes a valid receipt from a changed one, one of another gateway and one of another file", async () => {
    const { id } = await predicted();
    const text = await textOf(`/predictions/${id}/receipt`);
    expect(await check(text)).toMatchObject({ state: "valid", receipt: { id, kind: "prediction" } });
    expect(await check(`${text}\n`, (await gateway.createAccount()).key)).toMatchObject({ state: "valid" });
    const changed = [
      text.replace('"succeeded"', '"failed"'),
      text.replace('{"receipt":', '{"receipt": '),
      JSON.stringify(JSON.parse(text), null, 2),
      `${text.slice(0, -1)},"signature":{}}`,
      '{"receipt":{}}',
      `{"receipt":${"[".repeat(100_000)}`,
    ];
    for (const one of changed) expect(await check(one)).toMatchObject({ state: "changed", receipt: null });
    const { signature } = JSON.parse(text) as SignedReceipt;
    expect(await check(text.replace(signature.kid, "another"))).toMatchObject({ state: "unknown_key" });
    const asText = await send("POST", "/outputs/verify", { receipt: text });
    expect(asText).toMatchObject({ status: 200, body: { made_here: null, receipt: { state: "valid" } } });
    for (const part of [text, new Blob([text])]) {
      const form = new FormData();
      form.set("receipt", part);
      const sent = { method: "POST", headers: { authorization: `Bearer ${account.key}` }, body: form };
      const response = await fetch(`${gateway.url}/outputs/verify`, sent);
      expect(await response.json()).toMatchObject({ size_bytes: text.length, receipt: { state: "valid" } });
      form.set("receipt", text.padEnd(300_000));
      expect(await (await fetch(`${gateway.url}/outputs/verify`, sent)).json()).toMatchObject({
        error: { code: "upload_too_large", param: "receipt" },
      });
    }
    expect(await check('{"other":1}')).toBeNull();
    expect(await check(`${text}${" ".repeat(300_000)}`)).toBeNull();
  });
});

describe("the keys", () => {
  const keys = async () => {
    const response = await fetch(gateway.url.replace("/v1", "/.well-known/gatehouse-receipts.json"));
    const { keys: all } = (await response.json()) as { keys: { kid: string; retired_at: string | null }[] };
    return all;
  };

  it("can be rotated by an operator, with an audit row; old receipts stay valid and the old private key is erased", async () => {
    const operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
    const { id } = await predicted();
    const before = await textOf(`/predictions/${id}/receipt`);
    const [old] = await keys();
    expect(await send("POST", "/operator/receipt_keys/rotate")).toMatchObject(
      refusal(403, "operator_required"),
    );
    const rotated = await send("POST", "/operator/receipt_keys/rotate", undefined, operator);
    expect(rotated.status).toBe(200);
    const [fresh, ...retired] = await keys();
    expect(fresh?.kid).not.toBe(old?.kid);
    expect(retired).toContainEqual({ ...old, retired_at: expect.any(String) });
    const after = JSON.parse(await textOf(`/predictions/${id}/receipt`)) as SignedReceipt;
    expect(after.signature.kid).toBe(fresh?.kid);
    const { rows } = await gateway.context.database.pool.query(
      "select ciphertext from receipt_keys where kid = $1",
      [old?.kid],
    );
    expect(rows).toEqual([{ ciphertext: null }]);
    const form = new FormData();
    form.set("file", new Blob([before]), "receipt.json");
    const checked = await fetch(`${gateway.url}/outputs/verify`, {
      ...{ method: "POST", headers: { authorization: `Bearer ${account.key}` }, body: form },
    });
    expect(await checked.json()).toMatchObject({ receipt: { state: "valid", kid: old?.kid } });
  });

  it("are created once, even when many processes start at the same time", async () => {
    const { database } = gateway.context;
    await database.pool.query("delete from receipt_keys");
    const kids = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const other = { ...gateway.context, database: Object.create(database) as typeof database };
        return (await currentKey(other)).kid;
      }),
    );
    expect(new Set(kids).size).toBe(1);
    const operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
    const rotations = await Promise.all(
      Array.from({ length: 4 }, () => send("POST", "/operator/receipt_keys/rotate", undefined, operator)),
    );
    expect(rotations.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await keys()).filter(({ retired_at: retired }) => retired === null)).toHaveLength(1);
    expect(await keys()).toHaveLength(5);
  });

  it("are resealed while AUTH_SECRET is replaced, and the error for an unreadable key explains what to do", async () => {
    const { context } = gateway;
    const { kid } = await currentKey(context);
    const { secret } = context.config;
    const fresh = () => Object.create(context.database) as typeof context.database;
    const replaced = {
      ...context.config,
      secret: "another master secret of 32 characters",
      previousSecret: secret,
    };
    await sweepAll({ ...context, config: replaced }, receiptKeySealSweep);
    const opened = await currentKey({
      ...context,
      database: fresh(),
      config: { ...replaced, previousSecret: null },
    });
    expect(opened.kid).toBe(kid);
    await expect(currentKey({ ...context, database: fresh() })).rejects.toMatchObject({
      code: "service_unavailable",
    });
    const back = { ...context.config, previousSecret: replaced.secret };
    await sweepAll({ ...context, config: back }, receiptKeySealSweep);
    expect((await currentKey({ ...context, database: fresh() })).kid).toBe(kid);
  });
});
