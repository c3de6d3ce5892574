import { hash } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Output } from "#contract/outputs.ts";
import type { Upload } from "#contract/upload.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { answersSoon, endProgram } from "#gateway/testing/program.ts";
import { programScene } from "#gateway/testing/program-scene.ts";
import { seededRandom } from "#gateway/testing/random.ts";

/** A batch of a removal has 500 files, so these are twelve batches. */
const identicalUploads = 12_000;
const otherUploads = 300;
const kills = 4;
/** The longest delay between the end of a batch and the kill, which then comes within the next batch. */
const maxLaterMs = 50;

it("a removal that is killed again and again deletes every identical file once, and no other", async () => {
  const random = seededRandom(`${kills} kills of a removal`);
  const scene = await programScene({ REQUESTS_PER_MINUTE: "100000" });
  onTestFinished(() => scene.close());
  let program = await scene.start();
  const database = new pg.Client(scene.connection());
  await database.connect();
  onTestFinished(() => database.end());
  const { session } = await scene.signIn();
  const send = async (method: string, route: string, body?: unknown) =>
    (await scene.call(session, method, route, body)).body;
  const number = async (statement: string): Promise<number> =>
    Number((await database.query(statement)).rows[0]?.number);
  const objects = path.join(scene.dataDir, "files/objects");

  async function makePicture(prompt: string): Promise<Output> {
    await send("POST", "/images/generations", { model: "svc/img-gen-a-1", prompt, size: "256x256" });
    return ((await send("GET", "/outputs?limit=1")).data as [Output])[0];
  }
  const bytesOf = async ({ url }: Output) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

  /** Uploads with the same bytes as this one, without a request for each. */
  async function multiply(upload: Upload, count: number): Promise<void> {
    const { rows } = await database.query("select storage_key from uploads where id = $1", [upload.id]);
    const key = String(rows[0]?.storage_key);
    const copies = Array.from({ length: count }, () => newId("upload"));
    for (const id of copies) {
      const copy = key.replace(upload.id, id);
      mkdirSync(path.dirname(path.join(objects, copy)), { recursive: true });
      for (const end of [".bin", ".meta"])
        linkSync(path.join(objects, key + end), path.join(objects, copy + end));
    }
    await database.query(
      `insert into uploads select made.* from uploads u cross join unnest($2::text[]) copy (id)
         cross join lateral jsonb_populate_record(u, jsonb_build_object(
           'id', copy.id, 'storage_key', replace(u.storage_key, u.id, copy.id))) made
       where u.id = $1`,
      [upload.id, copies],
    );
  }
  /** Of all stored files except previews, which are removed with their files. */
  const storedHashes = () =>
    readdirSync(objects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".bin") && !/previews/.test(entry.parentPath))
      .map((entry) => hash("sha256", readFileSync(path.join(entry.parentPath, entry.name))));

  const reported = await makePicture("reported");
  const kept = await makePicture("reported");
  await send("POST", `/outputs/${kept.id}/keep`, {});
  const bytes = await bytesOf(reported);
  const sha256 = hash("sha256", bytes);
  await multiply(await verifiedUpload(scene, session, bytes), identicalUploads);
  const other = await makePicture("another");
  const otherUpload = await verifiedUpload(scene, session, await bytesOf(other));
  await multiply(otherUpload, otherUploads);
  const { url } = await send("POST", `/outputs/${reported.id}/shares`, { expires_in: 3_600 });
  const link = `/shared/${String(url).split("/").at(-1)}`;
  const { id } = await send("POST", `${link}/reports`, { reason: "person", email: "eve@example.com" });
  const before = storedHashes();
  const identical = before.filter((one) => one === sha256).length;
  // Both outputs and the kept copy are identical, too.
  expect(identical).toBe(identicalUploads + 1 + 3);

  const removed = () =>
    number(`select removed_files as number from reports where id = '${id}' and status <> 'open'`);
  // The kill breaks off the answer.
  void scene.call(session, "POST", `/reports/${id}/remove`).catch(() => null);
  let seen = 0;
  for (let killed = 0; killed < kills; killed += 1) {
    await vi.waitFor(async () => expect(await removed()).toBeGreaterThan(seen), {
      timeout: 60_000,
      interval: 2,
    });
    await after(random() * maxLaterMs);
    await endProgram(program, "SIGKILL");
    seen = await removed();
    expect(seen).toBeLessThan(identical);
    program = scene.spawn();
  }
  expect(await answersSoon(program)).toBe(true);
  await vi.waitFor(
    async () => expect(await send("GET", `/reports/${id}`)).toMatchObject({ status: "removed" }),
    { timeout: 120_000, interval: 200 },
  );

  expect(await send("GET", `/reports/${id}`)).toMatchObject({
    removed_files: identical,
    copies: { files: 0 },
  });
  expect(storedHashes().sort()).toEqual(before.filter((one) => one !== sha256).sort());
  expect(await number("select count(*) as number from barred_files")).toBe(1);
  const logged = (await database.query("select action, detail from audit_logs where action like 'report.%'"))
    .rows as { action: string; detail: { files: number } }[];
  expect(logged.filter(({ action }) => action === "report.removed")).toHaveLength(1);
  const batches = logged.filter(({ action }) => action === "report.files_removed");
  expect(batches.reduce((sum, { detail }) => sum + detail.files, 0)).toBe(identical);
  expect((await scene.call(session, "GET", link)).status).toBe(404);
  expect(await send("GET", `/uploads/${otherUpload.id}`)).toMatchObject({ status: "verified" });
}, 600_000);
