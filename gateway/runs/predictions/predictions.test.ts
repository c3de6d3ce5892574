import { describe, expect, it } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { predictions, webhookEvents } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { predictionSweep } from "./remove-data.ts";
import { settle } from "./settle.ts";

const video = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };
/** Runs until it is canceled or settled. */
const longVideo = { ...video, duration: 30 };
/** Runs long enough to be settled first, and then not much longer: nobody can cancel it any more. */
const settledVideo = { ...video, duration: 4 };
const runMs = 120_000;

describe("predictions", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const create = (body: object = video, headers: Record<string, string> = {}) =>
    call(gateway, account.key, "POST", "/videos/generations", body, headers);
  const read = async (id: string) =>
    (await call(gateway, account.key, "GET", `/predictions/${id}`)).body as unknown as Prediction;
  async function ended(id: string): Promise<Prediction> {
    for (let now = await read(id); ; now = await read(id)) {
      if (now.completed_at) return now;
      await gateway.context.changes.next(id, AbortSignal.timeout(runMs));
    }
  }

  let endedVideo: Promise<Prediction> | null = null;
  /** A video that has ended, shared by tests that only read it. */
  const anEndedVideo = (): Promise<Prediction> => {
    endedVideo ??= create().then(({ body }) => ended(String(body.id)));
    return endedVideo;
  };

  it(
    "are accepted with 202, run, and have a timeline in order",
    async () => {
      const answer = await create();
      expect(answer.status).toBe(202);
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.body).toMatchObject({
        object: "prediction",
        status: "starting",
        svc_region: expect.any(String),
      });
      expect(answer.headers.get("location")).toBe(answer.body.poll_url);
      const done = await ended(String(answer.body.id));
      expect(done).toMatchObject({
        status: "succeeded",
        data_removed: false,
        usage: { unit: "second", quantity: 2 },
      });
      expect(done.timeline.map((row) => row.event)).toEqual([
        "accepted",
        "queued",
        "started",
        "provider_accepted",
        "output_stored",
        "succeeded",
        "event_emitted",
      ]);
      expect(done.output).toBe(done.data?.[0]?.url);
      const lifetimeMs = Date.parse(done.expires_at ?? "") - Date.parse(done.completed_at ?? "");
      expect(lifetimeMs).toBe(gateway.context.config.retentionMs);
    },
    runMs,
  );

  it(
    "wait with `Prefer: wait` and confirm that in a header",
    async () => {
      const answer = await create(video, { prefer: "wait=30" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("preference-applied")).toBe("wait=30");
      expect(answer.body.status).toBe("succeeded");
    },
    runMs,
  );

  it(
    "are created once per Idempotency-Key, even by two requests at once",
    async () => {
      const headers = { "idempotency-key": "order-66" };
      const answers = await Promise.all([create(video, headers), create(video, headers)]);
      const made = answers.filter((answer) => answer.status === 202);
      const waiting = answers.filter((answer) => answer.status === 409);
      expect(made.length + waiting.length).toBe(2);
      expect(made.length).toBeGreaterThanOrEqual(1);
      const replay = await create({ ...video }, headers);
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect(replay.body.id).toBe(made[0]?.body.id);
      const other = await create({ ...video, prompt: "another" }, headers);
      expect(other.status).toBe(422);
      expect(other.body.error).toMatchObject({ code: "idempotency_key_reused" });
      await call(gateway, account.key, "POST", `/predictions/${replay.body.id}/cancel`);
    },
    runMs,
  );

  it(
    "are listed in short with the first words of their prompt, also when their input is gone",
    async () => {
      const done = await anEndedVideo();
      const { body } = await create({ ...longVideo, prompt: `${"A long walk. ".repeat(60)}` });
      const list = async () => {
        const answer = await call(gateway, account.key, "GET", "/predictions?view=summary&limit=100");
        return (answer.body.data as Prediction[]).filter(({ id }) => [done.id, body.id].includes(id));
      };
      const [long, short] = await list();
      expect(short).toMatchObject({ input: { prompt: video.prompt }, timeline: [], output: done.output });
      expect(String(long?.input?.prompt)).toHaveLength(160);
      const { queries } = gateway.context.database;
      await queries
        .update(predictions)
        .set({ input: null })
        .where(eq(predictions.id, String(body.id)));
      expect((await list())[0]).toMatchObject({ id: body.id, input: null });
      await call(gateway, account.key, "POST", `/predictions/${body.id}/cancel`);
    },
    runMs,
  );

  it(
    "can be canceled, and stay canceled",
    async () => {
      const { body } = await create(longVideo);
      const canceled = await call(gateway, account.key, "POST", `/predictions/${body.id}/cancel`);
      expect(canceled.body).toMatchObject({ status: "canceled" });
      expect((await call(gateway, account.key, "POST", `/predictions/${body.id}/cancel`)).status).toBe(200);
      const done = await anEndedVideo();
      const late = await call(gateway, account.key, "POST", `/predictions/${done.id}/cancel`);
      expect(late.status).toBe(409);
      expect(late.body.error).toMatchObject({ code: "prediction_already_terminal" });
      expect((await read(String(body.id))).status).toBe("canceled");
    },
    runMs,
  );

  it(
    "end once, with one event, however often they are settled",
    async () => {
      const { body } = await create(settledVideo);
      const id = String(body.id);
      const outcome = { status: "failed", code: "upstream_error", message: "for the test" } as const;
      const settled = await Promise.all([1, 2, 3].map(() => settle(gateway.context, id, outcome)));
      expect(settled.filter(Boolean)).toHaveLength(1);
      const events = await gateway.context.database.queries
        .select()
        .from(webhookEvents)
        .where(eq(webhookEvents.predictionId, id));
      expect(events).toHaveLength(1);
      expect(JSON.parse(events[0]?.body ?? "{}").data.object).toMatchObject({ id, status: "failed" });
      expect(events[0]?.body).not.toContain("waves at dusk");
    },
    runMs,
  );

  it(
    "lose output, input and files after their retention period, and can still be read",
    async () => {
      const done = await ended((await create()).body.id as string);
      await gateway.context.database.queries
        .update(predictions)
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where(eq(predictions.id, done.id));
      await sweepAll(gateway.context, predictionSweep);
      // The gateway's own sweep may have taken it first, and may still be at it.
      await expect
        .poll(() => read(done.id))
        .toMatchObject({ status: "succeeded", output: null, data: null, input: null, data_removed: true });
      const after = await read(done.id);
      expect(after.timeline.at(-1)?.event).toBe("data_removed");
      expect(await gateway.context.store.head(`outputs/${done.id}/1.mp4`)).toBeNull();
    },
    runMs,
  );

  it(
    "of another account are not found",
    async () => {
      const { body } = await create();
      const stranger = await gateway.createAccount();
      for (const [method, path] of [
        ["GET", `/predictions/${body.id}`],
        ["POST", `/predictions/${body.id}/cancel`],
        ["GET", `/predictions/${body.id}/events`],
        ["GET", `/videos/${body.id}`],
      ] as const)
        expect((await call(gateway, stranger.key, method, path)).status).toBe(404);
      expect((await call(gateway, stranger.key, "GET", "/predictions")).body.data).toEqual([]);
      await call(gateway, account.key, "POST", `/predictions/${body.id}/cancel`);
    },
    runMs,
  );

  it("are listed newest first, page by page, and by filter", async () => {
    const lister = await gateway.createAccount();
    const list = (query: string) => call(gateway, lister.key, "GET", `/predictions?${query}`);
    const made: string[] = [];
    for (const input of [settledVideo, longVideo, longVideo, longVideo])
      made.push(String((await call(gateway, lister.key, "POST", "/videos", input)).body.id));
    const [failed = "", ...others] = made;
    await settle(gateway.context, failed, {
      status: "failed",
      code: "upstream_error",
      message: "for the test",
    });
    for (const id of others) await call(gateway, lister.key, "POST", `/predictions/${id}/cancel`);
    const first = await list("limit=3");
    const page = first.body as unknown as { data: Prediction[]; has_more: boolean; last_id: string };
    expect(page.has_more).toBe(true);
    const next = await list(`limit=3&after=${page.last_id}`);
    expect(next.body.has_more).toBe(false);
    const idsOf = (body: unknown) => (body as { data: Prediction[] }).data.map(({ id }) => id);
    expect([...idsOf(page), ...idsOf(next.body)]).toEqual(made.toReversed());
    expect(idsOf((await list("status=failed")).body)).toEqual([failed]);
    expect(idsOf((await list("status=canceled")).body)).toEqual(others.toReversed());
    expect((await list("after=zzz")).body.error).toMatchObject({ code: "invalid_cursor" });
  });

  it(
    "redirect to their bytes under /videos/{id}/content once they exist, for their account only",
    async () => {
      const content = (id: unknown, bearer = account.key) =>
        fetch(`${gateway.url}/videos/${id}/content`, {
          headers: { authorization: `Bearer ${bearer}` },
          redirect: "manual",
        });
      const running = await create(longVideo);
      const early = await content(running.body.id);
      expect(early.status).toBe(404);
      expect(await early.json()).toMatchObject({ error: { message: expect.stringContaining("no content") } });
      await call(gateway, account.key, "POST", `/predictions/${running.body.id}/cancel`);

      const done = await anEndedVideo();
      const found = await content(done.id);
      expect(found.status).toBe(302);
      // The signed URL needs no key.
      const bytes = await fetch(found.headers.get("location") ?? "");
      expect(bytes.headers.get("content-type")).toBe("video/mp4");
      expect((await bytes.arrayBuffer()).byteLength).toBe(done.data?.[0]?.size_bytes);
      const stranger = await gateway.createAccount();
      expect((await content(done.id, stranger.key)).status).toBe(404);
      const removedAt = new Date("2026-01-02T03:04:05Z");
      const removeAt = (at: Date | null) =>
        gateway.context.database.queries
          .update(predictions)
          .set({ dataRemovedAt: at })
          .where(eq(predictions.id, String(done.id)));
      await removeAt(removedAt);
      const removed = await content(done.id);
      await removeAt(null);
      expect([removed.status, await removed.json()]).toMatchObject([
        410,
        { error: { code: "payload_purged", message: expect.stringContaining(removedAt.toISOString()) } },
      ]);
    },
    runMs,
  );

  it(
    "can be followed as server-sent events to their end",
    async () => {
      const { body } = await create();
      const response = await fetch(`${gateway.url}/predictions/${body.id}/events`, {
        headers: { authorization: `Bearer ${account.key}` },
      });
      const text = await response.text();
      const seen = [...text.matchAll(/^data: (.*)$/gm)].map(
        (match) => JSON.parse(match[1] ?? "{}") as Prediction,
      );
      expect(seen.at(-1)?.status).toBe("succeeded");
      expect(seen[0]?.id).toBe(body.id);
    },
    runMs,
  );
});
