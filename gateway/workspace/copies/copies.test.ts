import { hash } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Copy } from "#contract/copies.ts";
import type { Notice } from "#contract/notices.ts";
import type { Output } from "#contract/outputs.ts";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal } from "#gateway/testing/gateway.ts";
import { image, keys, startCopyScene } from "./testing/scene.ts";

const scene = shared(startCopyScene);
beforeEach(() => {
  scene.s3.objects.clear();
  scene.s3.puts.splice(0);
  scene.s3.putFailures.splice(0);
});

const sql = (text: string, ...values: unknown[]) => scene.gateway.context.database.pool.query(text, values);
const objectOf = (copy: Copy) => scene.s3.objects.get(`/gallery/${copy.object_name}`);

async function copied(output: Output, destination: string): Promise<Copy> {
  const { status, body } = await scene.send("POST", `/outputs/${output.id}/copies`, { destination });
  expect(status, JSON.stringify(body)).toBe(202);
  return scene.copyWhen(String(body.id), "succeeded");
}

async function stored(output: Output): Promise<Buffer> {
  return Buffer.from(await (await fetch(output.url ?? "")).arrayBuffer());
}

describe("a copy by hand", () => {
  it("has the bytes, the type and the hash of the stored file, and a name of run and number", async () => {
    const destination = await scene.createDestination();
    const outputs = await scene.makeImages({ n: 2 });
    expect(outputs).toHaveLength(2);
    for (const output of outputs) {
      const copy = await copied(output, destination.id);
      const object = objectOf(copy);
      const bytes = await stored(output);
      expect(hash("sha256", object?.bytes ?? Buffer.alloc(0))).toBe(hash("sha256", bytes));
      expect(object).toMatchObject({ type: output.content_type, sha256: hash("sha256", bytes) });
      expect(copy).toMatchObject({ trigger: "manual", attempts: 1, last_error: null, next_attempt_at: null });
      expect(copy.object_name).toMatch(new RegExp(`^made/${output.run_id}/[12]\\.png$`));
    }
    expect(scene.s3.objects.size).toBe(2);
    expect(await scene.copies(`?destination=${destination.id}&status=succeeded`)).toHaveLength(2);
    expect(await scene.copies(`?output_id=${outputs[0]?.id}`)).toHaveLength(1);
    expect((await scene.send("GET", `/destinations/${destination.id}`)).body).toMatchObject({
      last_copied_at: expect.any(String),
      last_error: null,
      waiting_copies: 0,
    });
  });

  it("is made again on request", async () => {
    const destination = await scene.createDestination();
    const [output] = (await scene.makeImages()) as [Output];
    const first = await copied(output, destination.id);
    scene.s3.objects.clear();
    const second = await copied(output, destination.id);
    expect(second.id).toBe(first.id);
    expect(objectOf(second)).toBeDefined();
  });

  it("needs an existing output and a destination of the account that is not paused", async () => {
    const destination = await scene.createDestination();
    const [output] = (await scene.makeImages()) as [Output];
    const path = `/outputs/${output.id}/copies`;
    const stranger = await scene.gateway.createAccount();
    const theirs = await scene.createDestination({}, stranger.session);
    expect(await scene.send("POST", path, { destination: theirs.id })).toMatchObject(
      refusal(404, "destination_not_found"),
    );
    expect(await scene.send("POST", path, { destination: theirs.id }, stranger.session)).toMatchObject(
      refusal(404, "output_not_found"),
    );
    await scene.send("PATCH", `/destinations/${destination.id}`, { status: "paused" });
    expect(await scene.send("POST", path, { destination: destination.id })).toMatchObject(
      refusal(409, "destination_paused"),
    );
    await scene.send("PATCH", `/destinations/${destination.id}`, { status: "active" });
    await sql("update outputs set key = null where id = $1", output.id);
    expect(await scene.send("POST", path, { destination: destination.id })).toMatchObject(
      refusal(410, "payload_purged"),
    );
  });
});

describe("a copy that fails", () => {
  it.each([
    ["is busy", { status: 503, code: "SlowDown" }, "server_error", 503],
    ["breaks the connection", "reset" as const, "no_connection", null],
    [
      "redirects, to inside too",
      { status: 307, code: "", location: "https://169.254.169.254/" },
      "redirect",
      307,
    ],
    ["forbids it", { status: 403, code: "AccessDenied" }, "access_denied", 403],
    ["speaks no XML", { status: 404, code: "", html: true }, "bucket_not_found", 404],
    ["is in another region", { status: 301, code: "PermanentRedirect" }, "wrong_region", 301],
  ])(
    "is tried again if the server %s, and every attempt is in its log",
    async (_what, problem, code, status) => {
      const destination = await scene.createDestination();
      const [output] = (await scene.makeImages()) as [Output];
      scene.s3.putFailures.push(problem, problem);
      const copy = await copied(output, destination.id);
      const { attempt_log: log } = await scene.copy(copy.id);
      expect(log).toMatchObject([
        { status_code: status, error: { code } },
        { status_code: status, error: { code } },
        { status_code: 200, error: null },
      ]);
      expect(objectOf(copy)?.bytes.equals(await stored(output))).toBe(true);
    },
  );

  it("is given up after eight attempts; a member can retry one or all of them", async () => {
    const destination = await scene.createDestination();
    const [first, second, third] = (await scene.makeImages({ n: 3 })) as [Output, Output, Output];
    scene.s3.putFailures.push(...Array.from({ length: 24 }, () => ({ status: 500, code: "InternalError" })));
    const ids: string[] = [];
    for (const output of [first, second, third]) {
      const { body } = await scene.send("POST", `/outputs/${output.id}/copies`, {
        destination: destination.id,
      });
      ids.push(String(body.id));
    }
    for (const id of ids)
      expect(await scene.copyWhen(id, "failed")).toMatchObject({
        attempts: 8,
        last_error: { code: "server_error" },
        attempt_log: { length: 8 },
      });
    const about = `/destinations/${destination.id}`;
    expect((await scene.send("GET", about)).body).toMatchObject({
      failed_copies: 3,
      last_error: { code: "server_error" },
    });
    const notices = async () =>
      ((await scene.send("GET", "/notices")).body.data as Notice[]).filter(
        ({ cause }) => cause === "copy.exhausted",
      );
    await expect.poll(notices).toMatchObject([
      {
        count: 3,
        title: "3 files could not be copied to Gallery",
        text: expect.stringContaining("The server failed or is busy."),
        path: `/destinations/${destination.id}?status=failed`,
      },
    ]);
    // Older transactions in this database may delay the events for a moment.
    const told = async () => {
      const { body: feed } = await scene.send("GET", "/events?type=copy.exhausted");
      return (feed.data as { data: { object: { copy_id: string } } }[]).map(({ data }) => data.object);
    };
    await expect
      .poll(told)
      .toEqual(
        expect.arrayContaining(
          ids.map((id) =>
            expect.objectContaining({ id: destination.id, copy_id: id, error: "server_error" }),
          ),
        ),
      );
    expect((await scene.send("POST", `/copies/${ids[0]}/retry`)).status).toBe(202);
    await scene.copyWhen(ids[0] ?? "", "succeeded");
    expect(await scene.send("POST", `/copies/${ids[0]}/retry`)).toMatchObject(
      refusal(409, "copy_not_retryable"),
    );
    await sql("update outputs set key = null where id = $1", third.id);
    expect((await scene.send("POST", `${about}/retry`)).body).toMatchObject({ retried: 1, has_more: false });
    await scene.copyWhen(ids[1] ?? "", "succeeded");
    expect(await scene.send("POST", `/copies/${ids[2]}/retry`)).toMatchObject(refusal(410, "payload_purged"));
    expect((await scene.send("GET", about)).body).toMatchObject({ failed_copies: 1, last_error: null });
    const { body } = await scene.send("GET", "/audit_logs?limit=10");
    expect((body.data as { action: string }[]).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["destination.created", "copy.requested", "copy.retried", "copies.retried"]),
    );
  });

  it("ends when its file was removed", async () => {
    const destination = await scene.createDestination();
    const [output] = (await scene.makeImages()) as [Output];
    await scene.send("PATCH", `/destinations/${destination.id}`, { automatic: "all", status: "paused" });
    const [late] = (await scene.makeImages()) as [Output];
    const [copy] = (await scene.copies(`?output_id=${late.id}`)) as [Copy];
    expect(copy).toMatchObject({ status: "pending", trigger: "automatic", next_attempt_at: null });
    await sql("update generations set expires_at = now() where id in ($1, $2)", late.run_id, output.run_id);
    await sweepAll(scene.gateway.context, reservedFileSweep);
    await scene.send("PATCH", `/destinations/${destination.id}`, { status: "active" });
    expect(await scene.copyWhen(copy.id, "failed")).toMatchObject({
      attempts: 1,
      last_error: { code: "file_removed", message: expect.stringContaining("removed before") },
    });
    await scene.send("DELETE", `/destinations/${destination.id}`);
  });

  it("can be made and retried from a kept file after the run's file was removed", async () => {
    const destination = await scene.createDestination();
    const [output] = (await scene.makeImages()) as [Output];
    expect((await scene.send("POST", `/outputs/${output.id}/keep`, {})).status).toBe(200);
    await sql("update generations set expires_at = now() where id = $1", output.run_id);
    await sql("update outputs set expires_at = now() where id = $1", output.id);
    await sweepAll(scene.gateway.context, reservedFileSweep);
    const copy = await copied(output, destination.id);
    expect(hash("sha256", objectOf(copy)?.bytes ?? "")).toBe(output.provenance.sha256);
    await sql("update copies set status = 'failed' where id = $1", copy.id);
    expect((await scene.send("POST", `/destinations/${destination.id}/retry`)).body).toMatchObject({
      retried: 1,
    });
    await scene.copyWhen(copy.id, "succeeded");
    await sql("update copies set status = 'failed' where id = $1", copy.id);
    expect((await scene.send("POST", `/copies/${copy.id}/retry`)).status).toBe(202);
    await scene.copyWhen(copy.id, "succeeded");
    await scene.send("DELETE", `/destinations/${destination.id}`);
  });

  it("never has bytes that differ from the output", async () => {
    const destination = await scene.createDestination();
    const [output] = (await scene.makeImages()) as [Output];
    await sql("update outputs set sha256 = $2 where id = $1", output.id, "0".repeat(64));
    const { body } = await scene.send("POST", `/outputs/${output.id}/copies`, {
      destination: destination.id,
    });
    expect(await scene.copyWhen(String(body.id), "failed")).toMatchObject({
      last_error: { code: "bytes_differ" },
    });
    expect(scene.s3.objects.size).toBe(0);
  });
});

describe("automatic copies", () => {
  const soon = { interval: 100 };
  const prediction = {
    ...{ model: "svc/img-gen-b", prompt: "a pine", quality: "low" },
    ...{ size: "1024x1024", output_format: "jpeg" },
  };

  it("copy every file of the chosen models once, from sync runs and predictions", {
    timeout: 120_000,
  }, async () => {
    const chosen = await scene.createDestination({ automatic: "chosen", models: [image.model] });
    const all = await scene.createDestination({ automatic: "all", prefix: "all/" });
    const images = await scene.makeImages({ n: 2 });
    const { body } = await scene.send("POST", "/images/generations", prediction);
    const made = await vi.waitFor(async () => {
      const found = (await scene.send("GET", `/outputs?prediction_id=${body.id}`)).body.data as Output[];
      expect(found).toHaveLength(1);
      return found;
    }, soon);
    await vi.waitFor(async () => {
      expect(await scene.copies(`?destination=${chosen.id}&status=succeeded`)).toHaveLength(2);
      expect(await scene.copies(`?destination=${all.id}&status=succeeded`)).toHaveLength(3);
    }, soon);
    const copies = await scene.copies(`?destination=${all.id}`);
    expect(copies.map(({ output_id }) => output_id).sort()).toEqual(
      [...images, ...made].map(({ id }) => id).sort(),
    );
    for (const output of [...images, ...made]) {
      const copy = copies.find(({ output_id }) => output_id === output.id) as Copy;
      expect(objectOf(copy)?.bytes.equals(await stored(output))).toBe(true);
    }
    expect(scene.s3.puts).toHaveLength(5);
    for (const { id } of [chosen, all]) await scene.send("DELETE", `/destinations/${id}`);
    expect(await scene.copies(`?destination=${all.id}`)).toEqual([]);
  });

  it("wait while the destination is paused", async () => {
    const { id } = await scene.createDestination({ automatic: "all" });
    await scene.send("PATCH", `/destinations/${id}`, { status: "paused" });
    await scene.makeImages();
    const [copy] = (await scene.copies(`?destination=${id}`)) as [Copy];
    expect((await scene.send("GET", `/destinations/${id}`)).body).toMatchObject({ waiting_copies: 1 });
    await scene.send("PATCH", `/destinations/${id}`, { status: "active" });
    await scene.copyWhen(copy.id, "succeeded");
    await scene.send("DELETE", `/destinations/${id}`);
  });

  it("skip a destination that was deleted while the run settled", async () => {
    const { id } = await scene.createDestination({ automatic: "all" });
    const client = await scene.gateway.context.database.pool.connect();
    await client.query("begin");
    await client.query("delete from destinations where id = $1", [id]);
    const making = scene.makeImages();
    await vi.waitFor(async () => {
      const { rows } = await sql("select from pg_stat_activity where wait_event_type = 'Lock'");
      expect(rows.length).toBeGreaterThan(0);
    }, 20_000);
    await client.query("commit");
    client.release();
    expect(await making).toHaveLength(1);
  });
});

it("secrets are in no answer and no log", async () => {
  const destination = await scene.createDestination();
  const answers = [
    destination,
    (await scene.send("GET", "/destinations")).body,
    (await scene.send("PATCH", `/destinations/${destination.id}`, { secret_access_key: keys.secret })).body,
    (await scene.send("GET", "/audit_logs?limit=50")).body,
  ];
  expect(JSON.stringify(answers)).not.toContain(keys.secret);
  expect(scene.gateway.logLines.join("")).not.toContain(keys.secret);
  const { rows } = await sql("select * from destinations");
  expect(JSON.stringify(rows)).not.toContain(keys.secret);
});
