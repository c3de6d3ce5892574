import { describe, expect, it } from "vitest";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { shareSweep } from "./shares.ts";

const hourSeconds = 3_600;
const prompt = "a lighthouse nobody else may read about";
const picture = { model: "svc/img-gen-a-1", prompt, size: "256x256" };
/** A prediction, whose prompt is stored. */
const stored = { model: "svc/img-gen-b", prompt, size: "1024x1024", quality: "low", output_format: "png" };
const gatedImage = { model: "svc/adult-img-1", prompt, width: 256, height: 256, n: 1 };

const gateway = shared(startTestGateway);
const account = fresh(() => gateway.createAccount());

const send = (bearer: string | null, method: string, path: string, body?: unknown) =>
  call(gateway, bearer, method, path, body);
const sql = (text: string, ...values: unknown[]) => gateway.context.database.pool.query(text, values);

/** The output for this input. */
async function madeOutput(input: { model: string } = picture): Promise<string> {
  const { status, body } = await call(gateway, account.key, "POST", "/images/generations", input, {
    prefer: "wait=30",
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  const { body: list } = await send(account.key, "GET", `/outputs?model=${input.model}`);
  return (list.data as { id: string }[])[0]?.id ?? "";
}

interface Made {
  id: string;
  url: string;
  token: string;
  expires_at: string;
  [field: string]: unknown;
}
async function share(output: string, more: object = {}): Promise<Made> {
  const { status, body } = await send(account.key, "POST", `/outputs/${output}/shares`, {
    expires_in: hourSeconds,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const url = String(body.url);
  return { ...(body as unknown as Made), url, token: url.split("/").at(-1) ?? "" };
}
const open = (token: string, bearer: string | null = null) => send(bearer, "GET", `/shared/${token}`);
const file = (
  token: string,
  headers: Record<string, string> = {},
  place: number | string = 1,
  method = "GET",
) => fetch(`${gateway.url}/shared/${token}/files/${place}`, { method, headers });

describe("a link", () => {
  it("shows an output to anybody who has it, and is not indexed or sent as a referrer", async () => {
    const output = await madeOutput();
    const made = await share(output);
    expect(made.url).toBe(`${gateway.context.config.consoleUrl}/public/shared/${made.token}`);
    const { status, body, headers } = await open(made.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "shared",
      gated: false,
      expires_at: made.expires_at,
      files: [
        {
          model: picture.model,
          content_type: "image/png",
          sandbox: true,
          ai_label: null,
          prompt: null,
          provenance: { state: "absent", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain("lighthouse");
    for (const id of [account.accountId, account.userId, output])
      expect(JSON.stringify(body)).not.toContain(id);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
    });
    expect(gateway.logLines.join("")).not.toContain(made.token);
    const { rows } = await sql("select s::text as text from shares s where id = $1", made.id);
    expect(rows[0].text).not.toContain(made.token.slice(26));
  });

  it("serves its files whole and in ranges, as files to be saved", async () => {
    const { token } = await share(await madeOutput());
    const whole = await file(token);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.status).toBe(200);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename="svc-img-gen-a-1-1.png"/);
    expect(whole.headers.get("access-control-allow-origin")).toBe("*");
    const part = await file(token, { range: "bytes=10-19" });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect((await file(token, { range: `bytes=${bytes.length}-` })).status).toBe(416);
    const head = await file(token, {}, 1, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    for (const place of [0, 2, -1, 1.5, "1e0", "0x1", "+1"])
      expect((await file(token, {}, place)).status).toBe(404);
  });

  it("shows the prompt if its creator chose that, even after the run's input is removed, and refuses that choice if no prompt is stored", async () => {
    const output = await madeOutput(stored);
    expect((await send(account.key, "GET", `/outputs/${output}/shares`)).body).toMatchObject({
      has_prompt: true,
    });
    const without = await share(output);
    expect(without.shows_prompt).toBe(false);
    const { body: plain } = await open(without.token);
    expect(plain).toMatchObject({ files: [{ prompt: null }] });
    expect(JSON.stringify(plain)).not.toContain(prompt);
    // A link that shows no prompt does not store it either.
    const { rows } = await sql("select s::text as text from shares s where id = $1", without.id);
    expect(rows[0].text).not.toContain(prompt);
    const { token, shows_prompt } = await share(output, { show_prompt: true });
    expect(shows_prompt).toBe(true);
    expect((await open(token)).body).toMatchObject({ files: [{ prompt }] });
    await sql("update predictions set input = null where account_id = $1", account.accountId);
    expect((await open(token)).body).toMatchObject({ files: [{ prompt }] });
    const sync = await madeOutput();
    const refused = await send(account.key, "POST", `/outputs/${sync}/shares`, {
      expires_in: hourSeconds,
      show_prompt: true,
    });
    expect(refused).toMatchObject(refusal(400, "invalid_parameter"));
    expect((await send(account.key, "GET", `/outputs/${sync}/shares`)).body).toMatchObject({
      has_prompt: false,
      gated: false,
      max_expires_in: 7 * 86_400,
    });
  });

  it("puts several outputs side by side", async () => {
    const [one, two] = [await madeOutput(), await madeOutput()];
    const { token } = await share(one, { with: [two, one] });
    const { body } = await open(token);
    expect(body.files).toHaveLength(2);
    expect((await file(token, {}, 2)).status).toBe(200);
    const listed = await send(account.key, "GET", `/outputs/${two}/shares`);
    expect(listed.body.data).toMatchObject([{ outputs: [{ id: one }, { id: two }] }]);
  });

  it("stops working at once when it is revoked", async () => {
    const output = await madeOutput();
    const { id, token } = await share(output);
    expect((await file(token)).status).toBe(200);
    const revoked = await send(account.key, "DELETE", `/outputs/${output}/shares/${id}`);
    expect(revoked.body).toEqual({ id, object: "share", deleted: true });
    expect(await open(token)).toMatchObject(refusal(404, "share_not_found"));
    expect((await file(token)).status).toBe(404);
    expect(await send(account.key, "DELETE", `/outputs/${output}/shares/${id}`)).toMatchObject(
      refusal(404, "share_not_found"),
    );
    const { body } = await send(account.key, "GET", "/audit_logs?limit=2");
    expect(body.data).toMatchObject([
      { action: "share.revoked", target_id: id },
      { action: "share.created", target_id: id, detail: { outputs: [output], models: [picture.model] } },
    ]);
  });

  it("expires at the chosen time, or earlier when its file is removed", async () => {
    const output = await madeOutput();
    const { body } = await send(account.key, "GET", `/outputs/${output}/shares`);
    const long = await share(output, { expires_in: 7 * 86_400 });
    expect(long.expires_at).toBe(body.file_expires_at);
    const short = await share(output, { expires_in: 60 });
    const over = Date.parse(short.expires_at) - Date.now();
    expect(over).toBeGreaterThan(50_000);
    expect(over).toBeLessThanOrEqual(60_000);
    await sql("update shares set expires_at = now() - interval '1 second' where id = $1", short.id);
    expect(await open(short.token)).toMatchObject(refusal(404, "share_not_found"));
    expect((await file(short.token)).status).toBe(404);
    expect((await open(long.token)).status).toBe(200);
    expect((await send(account.key, "GET", "/shares")).body.data).toMatchObject([{ id: long.id }]);
    await sweepAll(gateway.context, shareSweep);
    expect((await sql("select id from shares where id = $1", short.id)).rows).toEqual([]);
  });

  it("ends when its files are removed earlier", async () => {
    const output = await madeOutput(stored);
    const { token } = await share(output);
    await sql("update predictions set expires_at = now() where account_id = $1", account.accountId);
    await sweepAll(gateway.context, predictionSweep);
    expect(await open(token)).toMatchObject(refusal(404, "share_not_found"));
    expect(await send(account.key, "POST", `/outputs/${output}/shares`, { expires_in: 60 })).toMatchObject(
      refusal(410, "payload_purged"),
    );
    expect((await send(account.key, "GET", "/shares")).body.data).toMatchObject([
      { outputs: [{ id: output, expires_at: null, removed: true }] },
    ]);
  });

  it("can be found only by its own token", async () => {
    const output = await madeOutput();
    const { token } = await share(output);
    const other = await share(output);
    const wrong = [
      "nothing",
      token.slice(0, -1),
      `${token}x`,
      token.slice(0, 26) + other.token.slice(26),
      token.slice(0, -1) + (token.endsWith("A") ? "B" : "A"),
    ];
    const answers = await Promise.all(wrong.map(async (text) => (await open(text)).body));
    for (const { error } of answers as { error: { code: string; message: string } }[])
      expect(error).toMatchObject({
        code: "share_not_found",
        message: expect.stringContaining("does not work"),
      });
    const { config } = gateway.context;
    const { secret } = config;
    Object.assign(config, { secret: "another-master-secret-of-enough-characters", previousSecret: secret });
    try {
      expect((await open(token)).status).toBe(200);
      Object.assign(config, { previousSecret: null });
      expect((await open(token)).status).toBe(404);
    } finally {
      Object.assign(config, { secret, previousSecret: null });
    }
  });

  it("belongs to its account", async () => {
    const output = await madeOutput();
    const { id } = await share(output);
    const stranger = await gateway.createAccount();
    const at = `/outputs/${output}/shares`;
    expect(await send(stranger.key, "POST", at, { expires_in: 60 })).toMatchObject(
      refusal(404, "output_not_found"),
    );
    expect(await send(stranger.key, "GET", at)).toMatchObject(refusal(404, "output_not_found"));
    expect(await send(stranger.key, "DELETE", `${at}/${id}`)).toMatchObject(refusal(404, "share_not_found"));
    expect((await send(stranger.key, "GET", "/shares")).body.data).toEqual([]);
    const viewer = await gateway.addMember(account, "viewer");
    expect(await send(viewer.session, "POST", at, { expires_in: 60 })).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
  });

  it("is refused for an invalid time, too many outputs, or when the operator has turned sharing off", async () => {
    const output = await madeOutput();
    const { token } = await share(output);
    const at = `/outputs/${output}/shares`;
    for (const body of [
      {},
      { expires_in: 59 },
      { expires_in: 7 * 86_400 + 1 },
      { expires_in: 60, with: Array(8).fill(output) },
      { expires_in: 60, forever: true },
    ])
      expect((await send(account.key, "POST", at, body)).status, JSON.stringify(body)).toBe(400);
    const { config } = gateway.context;
    config.shareMaxDays = 0;
    try {
      expect(await send(account.key, "POST", at, { expires_in: 60 })).toMatchObject(
        refusal(403, "sharing_off"),
      );
      expect((await open(token)).status).toBe(404);
    } finally {
      config.shareMaxDays = 7;
    }
  });

  it("is limited to a thousand per account, even when many are created at once, and is found among them", async () => {
    const output = await madeOutput();
    const { id } = await share(output);
    // Each with the maximum size.
    const shown = {
      outputId: output,
      prompt: "a".repeat(20_000),
      sandbox: true,
      width: 1,
      height: 1,
      duration: null,
    };
    await sql(
      `insert into shares (id, account_id, outputs, expires_at)
       select 'shr_01k' || lpad(n::text, 23, '0'), account_id, $2, expires_at from shares, generate_series(1, 998) n where id = $1`,
      id,
      JSON.stringify(Array.from({ length: 8 }, () => shown)),
    );
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        send(account.key, "POST", `/outputs/${output}/shares`, { expires_in: hourSeconds }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)).toMatchObject(refusal(409, "too_many_shares"));
    const { body } = await send(account.key, "GET", `/outputs/${output}/shares?limit=100`);
    expect(body.data).toHaveLength(100);
  });

  it("counts how often it is opened, at most once a second", async () => {
    const { id, token } = await share(await madeOutput());
    const openings = async () => {
      await open(token);
      return (await sql("select openings from shares where id = $1", id)).rows[0].openings;
    };
    expect(await openings()).toBe(1);
    await sql("update shares set last_opened_at = now() + interval '1 minute' where id = $1", id);
    expect(await openings()).toBe(1);
    await sql("update shares set last_opened_at = now() - interval '1 minute' where id = $1", id);
    expect(await openings()).toBe(2);
    expect((await send(account.key, "GET", "/shares")).body.data).toMatchObject([
      { openings: 2, last_opened_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it("can be opened only a limited number of times from one address", async () => {
    const { config } = gateway.context;
    expect(config.publicRequestsPerMinute).toBeGreaterThan(0);
    const limited = await startTestGateway({ publicRequestsPerMinute: 3 });
    try {
      const statuses: number[] = [];
      for (let asked = 0; asked < 4; asked += 1)
        statuses.push((await call(limited, null, "GET", "/shared/nothing")).status);
      expect(statuses).toEqual([404, 404, 404, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("outputs of gated models", () => {
  it("are not shared unless an owner allowed it, and then only with people who pass the same gates", async () => {
    await gateway.attest(account, "adult");
    const output = await madeOutput(gatedImage);
    const at = `/outputs/${output}/shares`;
    expect(await send(account.key, "POST", at, { expires_in: 60 })).toMatchObject(
      refusal(403, "gated_outputs_not_shared"),
    );
    const admin = await gateway.addMember(account, "admin");
    const allow = { share_gated_outputs: true };
    expect(await send(admin.session, "PATCH", "/account", allow)).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
    expect((await send(account.session, "PATCH", "/account", allow)).body).toMatchObject(allow);
    const { body: audit } = await send(account.key, "GET", "/audit_logs?action=account.updated&limit=1");
    expect(audit.data).toMatchObject([{ detail: allow }]);

    // A person who has not attested cannot share such outputs either.
    expect(await send(admin.session, "POST", at, { expires_in: 60 })).toMatchObject(
      refusal(403, "adult_attestation_required"),
    );
    const { token, gated } = await share(output);
    expect(gated).toBe(true);

    const viewer = await gateway.createAccount();
    expect(await open(token)).toMatchObject(refusal(403, "user_session_required"));
    expect((await file(token)).status).toBe(403);
    expect(await open(token, account.key)).toMatchObject(refusal(403, "user_session_required"));
    expect(await open(token, viewer.session)).toMatchObject(refusal(403, "adult_attestation_required"));
    await gateway.attest(viewer, "adult");
    expect((await open(token, viewer.session)).body).toMatchObject({ gated: true });
    expect((await file(token, { authorization: `Bearer ${viewer.session}` })).status).toBe(200);
    expect((await file(token)).status).toBe(403);

    await send(viewer.session, "DELETE", "/account/attestations/adult");
    expect((await file(token, { authorization: `Bearer ${viewer.session}` })).status).toBe(403);
    await gateway.attest(viewer, "adult");
    await send(account.session, "PATCH", "/account", { share_gated_outputs: false });
    expect(await open(token, viewer.session)).toMatchObject(refusal(404, "share_not_found"));
  });
});
