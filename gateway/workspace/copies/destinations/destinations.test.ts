import { beforeEach, describe, expect, it } from "vitest";
import { destinationLimits } from "#contract/copies.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal } from "#gateway/testing/gateway.ts";
import { destinationSealSweep } from "../seal.ts";
import { keys, startCopyScene } from "../testing/scene.ts";

const scene = shared(startCopyScene);
beforeEach(() => {
  scene.s3.objects.clear();
  scene.s3.locked.clear();
  scene.s3.putFailures.splice(0);
});

/** The result of testing these settings, saved or not. */
async function tested(more: Record<string, unknown> = {}) {
  const { name: _, ...settings } = scene.settings;
  const { status, body } = await scene.send("POST", "/destinations/test", { ...settings, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe("a test", () => {
  it("writes a small object and removes it again, saved or not", async () => {
    const worked = {
      ok: true,
      error: null,
      warning: null,
      written: expect.stringContaining("made/gatehouse-test-"),
    };
    expect(await tested()).toMatchObject(worked);
    const { id } = await scene.createDestination();
    expect((await scene.send("POST", `/destinations/${id}/test`)).body).toMatchObject(worked);
    expect(scene.s3.puts).toHaveLength(2);
    expect(scene.s3.objects.size).toBe(0);
    await scene.send("DELETE", `/destinations/${id}`);
  });

  it.each([
    [{ access_key_id: "AKIAOTHER" }, "wrong_keys"],
    [{ secret_access_key: "another" }, "wrong_keys"],
    [{ bucket: "nobodys" }, "bucket_not_found"],
    [{ endpoint_url: "https://does-not-exist.example" }, "dns_error"],
  ])("of %j reports %s", async (wrong, code) => {
    expect(await tested(wrong)).toMatchObject({ ok: false, error: { code, message: expect.any(String) } });
  });

  it("reports the server's answer, and follows no redirect", async () => {
    scene.s3.putFailures.push({
      status: 307,
      code: "TemporaryRedirect",
      location: "https://169.254.169.254/",
    });
    expect(await tested()).toMatchObject({ ok: false, error: { code: "redirect" } });
    scene.s3.putFailures.push({ status: 400, code: "InvalidStorageClass" });
    expect(await tested()).toMatchObject({
      ok: false,
      error: { code: "refused", message: expect.stringContaining("400") },
    });
  });

  it("stores the failure of a saved destination until the test succeeds", async () => {
    const { id } = await scene.createDestination({ secret_access_key: "wrong" });
    await scene.send("POST", `/destinations/${id}/test`);
    expect((await scene.send("GET", `/destinations/${id}`)).body).toMatchObject({
      last_error: { code: "wrong_keys" },
    });
    const fixed = await scene.send("PATCH", `/destinations/${id}`, { secret_access_key: keys.secret });
    expect(fixed.body).toMatchObject({ last_error: null, secret_hint: "test" });
    expect((await scene.send("POST", `/destinations/${id}/test`)).body).toMatchObject({ ok: true });
    await scene.send("DELETE", `/destinations/${id}`);
  });

  it("is refused after too many tests", async () => {
    const other = await scene.gateway.createAccount();
    const { name: _, ...settings } = scene.settings;
    // In parallel, so that the rate limit does not refill meanwhile on a slow machine.
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => scene.send("POST", "/destinations/test", settings, other.session)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  }, 30_000);
});

it.each(["../", "made/../../other/", "./", "made/./"])(
  "a prefix does not lead elsewhere: %s",
  async (prefix) => {
    const refused = refusal(400, "invalid_parameter");
    expect(await scene.send("POST", "/destinations", { ...scene.settings, prefix })).toMatchObject(refused);
  },
);

it("a name must have more than spaces", async () => {
  const refused = refusal(400, "invalid_parameter");
  expect(await scene.send("POST", "/destinations", { ...scene.settings, name: " " })).toMatchObject(refused);
});

describe("destination addresses", () => {
  it.each([
    "http://s3.example.com",
    "https://169.254.169.254",
    "https://10.0.0.1",
    "https://localhost",
    "https://user:pass@s3.example.com",
    "https://s3.example.com:22",
    "https://s3.example.com/?a=b",
  ])("%s is refused", async (endpoint_url) => {
    const { name: _, ...settings } = scene.settings;
    const refused = refusal(400, "invalid_destination");
    expect(await scene.send("POST", "/destinations", { ...scene.settings, endpoint_url })).toMatchObject(
      refused,
    );
    expect(await scene.send("POST", "/destinations/test", { ...settings, endpoint_url })).toMatchObject(
      refused,
    );
  });

  it("are checked where the connection is made, too", async () => {
    const { config, database } = scene.gateway.context;
    const { id } = await scene.createDestination();
    const { webhooks } = config;
    const puts = scene.s3.puts.length;
    config.webhooks = { ...webhooks, allowCidrs: [] };
    for (const address of [scene.s3.endpoint, "https://169.254.169.254"]) {
      await database.pool.query("update destinations set endpoint_url = $2 where id = $1", [id, address]);
      expect((await scene.send("POST", `/destinations/${id}/test`)).body, address).toMatchObject({
        ok: false,
        error: { code: "blocked_address" },
      });
    }
    config.webhooks = webhooks;
    expect(scene.s3.puts).toHaveLength(puts);
  });
});

it("are listed, changed only in the fields sent, counted and deleted", async () => {
  const other = await scene.gateway.createAccount();
  const made = await scene.createDestination(
    { path_style: true, automatic: "chosen", models: ["svc/vid-t2v"] },
    other.session,
  );
  const about = `/destinations/${made.id}`;
  const renamed = await scene.send("PATCH", about, { name: "Renamed" }, other.session);
  expect(renamed.body).toEqual({ ...made, name: "Renamed" });
  expect((await scene.send("GET", "/destinations", undefined, other.session)).body.data).toEqual([
    renamed.body,
  ]);
  for (const [method, target] of [
    ["GET", about],
    ["PATCH", about],
    ["DELETE", about],
    ["POST", `${about}/test`],
    ["POST", `${about}/retry`],
  ] as const)
    expect(await scene.send(method, target, method === "PATCH" ? { name: "x" } : undefined)).toMatchObject(
      refusal(404, "destination_not_found"),
    );
  expect(await scene.send("PATCH", about, { automatic: "chosen", models: [] }, other.session)).toMatchObject(
    refusal(400, "invalid_parameter"),
  );
  for (let count = 1; count < destinationLimits.perAccount; count += 1)
    await scene.createDestination({}, other.session);
  expect(await scene.send("POST", "/destinations", scene.settings, other.session)).toMatchObject(
    refusal(409, "too_many_destinations"),
  );
  expect((await scene.send("DELETE", about, undefined, other.session)).body).toMatchObject({ deleted: true });
});

it("with a new master secret stored secrets are resealed, and the previous one can be removed", async () => {
  const { context } = scene.gateway;
  const { config, database } = context;
  const { id } = await scene.createDestination();
  const sealedBy = async () => {
    const { rows } = await database.pool.query<{ sealed_by: string }>(
      "select distinct sealed_by from destinations",
    );
    return rows.map((row) => row.sealed_by);
  };
  const before = await sealedBy();
  const { secret } = config;
  config.previousSecret = secret;
  config.secret = "the-master-secret-of-tomorrow-0002";
  await sweepAll(context, destinationSealSweep);
  config.previousSecret = null;
  const after = await sealedBy();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect((await scene.send("POST", `/destinations/${id}/test`)).body).toMatchObject({ ok: true });
});
