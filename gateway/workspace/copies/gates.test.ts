import { expect, it } from "vitest";
import type { Copy } from "#contract/copies.ts";
import { newId } from "#contract/ids.ts";
import { recordOutputs } from "#gateway/runs/provenance/record.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal } from "#gateway/testing/gateway.ts";
import { startCopyScene } from "./testing/scene.ts";

const adult = "svc/adult-vid-1";
const swap = "svc/swap-1";
const closed = refusal(403, "adult_attestation_required");
const scene = shared(startCopyScene);

/** A file made by a run of a gated model. */
async function made(model: string): Promise<string> {
  const { database, store } = scene.gateway.context;
  const runId = newId("prediction");
  const key = `outputs/${runId}/1.mp4`;
  const file = await store.put(key, Buffer.from("a film of adults"), { contentType: "video/mp4" });
  const stored = { key, contentType: "video/mp4", ...file, width: null, height: null, duration: null };
  const { accountId } = scene.account;
  const expiresAt = new Date(Date.now() + 3_600_000);
  await recordOutputs(database.queries, { accountId, runId, model, expiresAt }, [stored]);
  const { rows } = await database.pool.query<{ id: string }>("select id from outputs where run_id = $1", [
    runId,
  ]);
  return rows[0]?.id ?? "";
}

const attest = (...kinds: ("adult" | "portrait_rights")[]) => scene.gateway.attest(scene.account, ...kinds);
const withdraw = (kind: string) => scene.send("DELETE", `/account/attestations/${kind}`);

it("a person who copies or retries a file by hand must have the model's attestations", async () => {
  const destination = await scene.createDestination();
  const output = await made(adult);
  const copy = (bearer?: string) =>
    scene.send("POST", `/outputs/${output}/copies`, { destination: destination.id }, bearer);
  expect(await copy()).toMatchObject(closed);
  expect(await copy(scene.account.key)).toMatchObject(closed);
  await attest("adult");
  const colleague = await scene.gateway.addMember(scene.account, "admin");
  expect(await copy(colleague.session)).toMatchObject(closed);
  scene.s3.putFailures.push({ status: 500, code: "InternalError" });
  const { body } = await copy();
  expect((await scene.copyWhen(String(body.id), "succeeded")).attempt_log).toHaveLength(2);
  expect(
    await scene.send("POST", `/outputs/${await made(swap)}/copies`, { destination: destination.id }),
  ).toMatchObject(refusal(403, "portrait_rights_attestation_required"));
  await withdraw("adult");
});

it("a waiting copy fails when its attestation is withdrawn; another member can retry it with their own", async () => {
  const destination = await scene.createDestination();
  await attest("adult");
  const output = await made(adult);
  const { pool } = scene.gateway.context.database;
  // The copy becomes due only after the withdrawal.
  await scene.send("PATCH", `/destinations/${destination.id}`, { automatic: "chosen", models: [adult] });
  await scene.send("PATCH", `/destinations/${destination.id}`, { status: "paused" });
  await made(adult);
  await pool.query(
    `insert into copies (id, account_id, destination_id, output_id, trigger, user_id, next_attempt_at)
     values ($1, $2, $3, $4, 'manual', $5, null)`,
    [newId("copy"), scene.account.accountId, destination.id, output, scene.account.userId],
  );
  await withdraw("adult");
  await scene.send("PATCH", `/destinations/${destination.id}`, { status: "active" });
  const waiting = await scene.copies(`?destination=${destination.id}`);
  expect(waiting).toHaveLength(2);
  for (const { id } of waiting)
    expect(await scene.copyWhen(id, "failed")).toMatchObject({
      attempts: 1,
      last_error: { code: "attestation_required", message: expect.stringContaining("adult") },
    });
  const [{ id }] = waiting as [Copy];
  expect(await scene.send("POST", `/copies/${id}/retry`)).toMatchObject(closed);
  expect((await scene.send("POST", `/destinations/${destination.id}/retry`)).body).toMatchObject({
    retried: 2,
  });
  for (const { id } of waiting) await scene.copyWhen(id, "failed");
  await attest("adult");
  await scene.send("POST", `/copies/${id}/retry`);
  await scene.copyWhen(id, "succeeded");
  await withdraw("adult");
  await scene.send("DELETE", `/destinations/${destination.id}`);
});

it("files of a gated model are copied automatically only if the destination names it and its owner has attested", async () => {
  const named = { automatic: "chosen", models: [adult] };
  expect(await scene.send("POST", "/destinations", { ...scene.settings, ...named })).toMatchObject(closed);
  const everything = await scene.createDestination({ automatic: "all", prefix: "all/" });
  await attest("adult");
  const chosen = await scene.createDestination(named);
  const output = await made(adult);
  const copies = await scene.copies(`?output_id=${output}`);
  const copyTo = ({ id }: { id: string }) =>
    copies.find(({ destination_id }) => destination_id === id)?.id ?? "";
  expect(await scene.copyWhen(copyTo(everything), "failed")).toMatchObject({
    attempts: 1,
    last_error: { code: "attestation_required", message: expect.stringContaining("names the model") },
  });
  await scene.copyWhen(copyTo(chosen), "succeeded");
  // Another person changes what is copied, and is responsible for it from then on.
  const colleague = await scene.gateway.addMember(scene.account, "admin");
  const change = { models: [adult, "svc/vid-t2v"] };
  expect(await scene.send("PATCH", `/destinations/${chosen.id}`, change, colleague.session)).toMatchObject(
    closed,
  );
  expect(
    await scene.send("PATCH", `/destinations/${chosen.id}`, { bucket: "mine" }, colleague.session),
  ).toMatchObject(closed);
  expect(
    (await scene.send("PATCH", `/destinations/${chosen.id}`, { name: "N" }, colleague.session)).status,
  ).toBe(200);
});

it("a deleted model requires every attestation", async () => {
  const destination = await scene.createDestination();
  await attest("adult");
  const path = `/outputs/${await made("acme/gone")}/copies`;
  expect(await scene.send("POST", path, { destination: destination.id })).toMatchObject(
    refusal(403, "portrait_rights_attestation_required"),
  );
  await attest("portrait_rights");
  expect((await scene.send("POST", path, { destination: destination.id })).status).toBe(202);
});
