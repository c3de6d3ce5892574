import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { main } from "#gateway/edges/cli/main.ts";
import { superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { programScene } from "#gateway/testing/program-scene.ts";

/*
 * The guarantee of a shorter retention (docs/retention.md): after its time and `gatehouse scrub`, what an account sent and got
 * is in no file of the data folder (tables, write-ahead log, store, journals, scratch folders), and never in the log.
 */

/** A word that no log takes for a secret. */
const mark = Array.from(randomBytes(14), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
const prompt = `planted ${mark}, a heron in the reeds`;
const noise = randomBytes(12_288);
const picture = noisePicture(noise);
const inBase64 = picture.toString("base64");
const pictureUri = `data:image/png;base64,${inBase64}`;
/** Also as base64, at each offset that three bytes can have. */
const marks = [
  Buffer.from(mark),
  noise.subarray(1_000, 1_032),
  Buffer.from(inBase64.slice(2_000, 2_040)),
  ...[0, 1, 2].map((at) => Buffer.from(Buffer.from(mark.slice(at)).toString("base64").slice(0, 16))),
];

const scene = shared(() => programScene({ SHORTEST_RETENTION_MINUTES: "10" }));

const anyLeft = `
  select 'prediction' as kind from predictions where data_removed_at is null
  union all select 'batch' from batches where data_removed_at is null
  union all select 'response' from responses
  union all select 'event' from webhook_events where body is not null
  union all select 'file' from generations
  union all select 'upload' from uploads where storage_key is not null
  union all select 'answer' from idempotency_keys`;
const anyRunning = `
  select id from predictions where completed_at is null
  union all select id from batches where finished_at is null
  union all select id from response_jobs
  union all select id from webhook_deliveries where status = 'pending'`;

it("leaves a planted prompt and a planted picture nowhere", async () => {
  const program = await scene.start();
  let log = "";
  for (const output of [program.stdout, program.stderr])
    output?.on("data", (text) => {
      log += text;
    });
  const { session } = await scene.signIn();
  const send = (to: string, body: object, headers = {}, method = "POST") =>
    call(scene, session, method, to, body, headers);
  expect((await send("/account", { retention_minutes: 10 }, {}, "PATCH")).status).toBe(200);
  const database = new pg.Client({ ...scene.connection(), user: superuser });
  database.on("error", () => {});
  await database.connect();
  const query = async (text: string) => (await database.query(text)).rows;
  // An owner may choose ten minutes or more. Here they last some seconds.
  await query("update accounts set retention_seconds = 15");
  await query("select pg_notify('retention_changed', id) from accounts");

  // One endpoint gets everything, the other fails until its deliveries are dead, and both repeat what they got.
  scene.receiver.answer((received, response) => {
    response.writeHead(received.path === "/dead" ? 500 : 200).end(received.body);
  });
  const events = ["prediction.succeeded", "response.completed", "batch.finished"];
  await send("/webhooks/endpoints", { url: `${scene.receiver.url}/dead`, events });

  const messages = [{ role: "user", content: prompt }];
  const picture256 = { model: "svc/img-gen-a-1", prompt, size: "256x256" };
  const callback = { callback_url: `${scene.receiver.url}/callback` };
  const once = { "idempotency-key": "planted" };
  const upload = await uploaded(send);
  const runs: [string, object, object?][] = [
    // First, because on a busy machine the upload would be removed before it is used.
    ["/images/edits", { model: "svc/img-gen-a-1", prompt, image: [upload] }],
    ["/chat/completions", { model: "svc/chat-1", messages }, once],
    ["/chat/completions", { model: "svc/chat-1", messages, stream: true }],
    ["/messages", { model: "svc/chat-1", max_tokens: 100, messages }],
    ["/audio/speech", { model: "svc/tts-b-1", input: prompt }],
    ["/images/generations", picture256, once],
    ["/images/edits", { model: "svc/img-gen-a-1", prompt, image: [pictureUri] }],
    [
      "/videos/generations",
      {
        model: "svc/vid-r2v",
        prompt,
        duration: 2,
        media: [{ type: "first_frame", url: pictureUri }],
        ...callback,
      },
    ],
    ["/responses", { model: "svc/chat-1", input: prompt }, once],
    ["/responses", { model: "svc/chat-1", input: prompt, background: true, ...callback }],
    ["/batches", { model: "svc/chat-1", rows: [{ messages }, { messages }] }],
    ["/batches", { model: "svc/img-gen-a-1", api_type: "image-generation", rows: [picture256] }],
  ];
  for (const [to, body, headers] of runs) {
    const answer = await send(to, body, headers);
    const { status } = answer;
    if (status >= 500) console.error(log.split("\n").filter(isTrouble).join("\n"));
    expect(status, `${to}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  }
  // What cannot run must leave no trace either.
  for (const body of [{ messages, temperature: prompt }, { messages: prompt }, { model: prompt, messages }])
    expect((await send("/chat/completions", { model: "svc/chat-1", ...body })).status).toBeGreaterThan(399);

  await expect.poll(() => query(anyRunning), { timeout: 180_000, interval: 500 }).toEqual([]);
  await query("analyze");
  await query("checkpoint");
  expect(found()).not.toEqual([]);
  await expect.poll(() => query(anyLeft), { timeout: 180_000, interval: 500 }).toEqual([]);
  const deliveries = await query("select distinct status from webhook_deliveries order by status");
  expect(deliveries).toEqual([{ status: "dead-letter" }, { status: "delivered" }]);
  expect(await query("select id from webhook_attempts where response_body is not null")).toEqual([]);

  vi.stubEnv("GATEHOUSE_DATA_DIR", scene.dataDir);
  vi.stubEnv("AUTH_SECRET", "a-secret-that-only-tests-know-0001");
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await main(["scrub"])).toBe(0);
  expect(printed.mock.calls.join()).toContain("began the write-ahead log anew");
  expect(found()).toEqual([]);
  for (const one of marks) expect(log.includes(one.toString("latin1"))).toBe(false);
  await database.end();
}, 500_000);

/** Whether a line of the log is a warning or an error. */
function isTrouble(line: string): boolean {
  return /^\{"level":[456]0/.test(line);
}

/** The files of the data folder that have any of the marks, without the folder's name. */
function found(): string[] {
  const files = readdirSync(scene.dataDir, { recursive: true, withFileTypes: true });
  return files.flatMap((file) => {
    if (!file.isFile()) return [];
    const name = path.join(file.parentPath, file.name);
    const bytes = contentOf(name);
    return marks.some((one) => bytes.includes(one)) ? name.slice(scene.dataDir.length) : [];
  });
}

/** Empty if the gateway has removed the file since it was listed. */
function contentOf(name: string): Buffer {
  try {
    return readFileSync(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  }
}

/** Sends the picture as an upload; returns its reference. */
async function uploaded(send: (to: string, body: object) => ReturnType<typeof call>): Promise<string> {
  const { body } = await send("/uploads", { content_type: "image/png", size_bytes: picture.length });
  const headers = body.upload_headers as Record<string, string>;
  await fetch(String(body.upload_url), { method: "PUT", headers, body: new Uint8Array(picture) });
  expect((await send(`/uploads/${body.id}/verify`, {})).body.status).toBe("verified");
  return String(body.reference);
}

/** A picture of 64 by 64 random points, whose file has them as they are. */
function noisePicture(points: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0]);
  const lines = Array.from({ length: 64 }, (_, y) => [
    Buffer.alloc(1),
    points.subarray(y * 192, (y + 1) * 192),
  ]);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines.flat()), { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
