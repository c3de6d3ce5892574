import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import { startDeliveries } from "#gateway/events/webhooks/deliver/start.ts";
import { testKeys, writeProvidersFile } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { QuietError, setQuiet } from "#gateway/platform/network/quiet.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { afterFailure } from "#gateway/runs/operations/unattended-run.ts";
import { testConfig } from "#gateway/testing/config.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

/** Another machine: it only counts who connects to it. */
async function startTrap() {
  const sockets = new Set<Socket>();
  const trap = {
    port: 0,
    connections: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((socket) => {
    trap.connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  trap.port = (server.address() as AddressInfo).port;
  return trap;
}

type Trap = Awaited<ReturnType<typeof startTrap>>;
let trap: Trap;
let gateway: TestGateway;
let account: TestAccount;
let operator: TestAccount;

async function start(quiet: boolean): Promise<void> {
  trap = await startTrap();
  Object.assign(process.env, testKeys);
  const provider = {
    protocol: "openai",
    base_url: `http://127.0.0.1:${trap.port}/v1`,
    credentials: {
      "us-virginia": { env: "TEST_UPSTREAM_KEY" },
      "sg-singapore": { env: "TEST_UPSTREAM_KEY" },
    },
  };
  const models = ["svc/chat-1", "svc/vid-t2v"];
  gateway = await startTestGateway({
    quiet,
    providersFile: writeProvidersFile({
      providers: { main: provider },
      routes: [{ models, provider: "main", upstream_model: "other" }],
    }),
    smtp: {
      ...{ host: "127.0.0.1", port: trap.port, security: "none", user: null, password: null },
      ...{ from: "Gatehouse <gatehouse@example.com>", caFile: null },
    },
    mediaAllowCidrs: ["127.0.0.0/8"],
    webhooks: {
      ...testConfig().webhooks,
      ...{ ports: [443, trap.port], allowCidrs: ["127.0.0.0/8"], backoffBaseMs: 10, backoffFactor: 1 },
    },
  });
  operator = await gateway.createAccount();
  account = await gateway.createAccount();
}

async function stop(): Promise<void> {
  await gateway.close();
  await trap.close();
  setQuiet(false);
}

const there = (path = "") => `https://127.0.0.1:${trap.port}${path}`;
const send = (method: string, path: string, body?: unknown, bearer = account.session) =>
  call(gateway, bearer, method, path, body);
const query = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows;
const picture = { model: "svc/img-gen-a-1", prompt: "a buoy", size: "256x256" };
const film = { model: "svc/vid-t2v", prompt: "waves", duration: 2 };
const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hi" }] };
const bucket = {
  ...{ name: "Bucket", endpoint_url: "", region: "eu-central-1", bucket: "one", prefix: "" },
  ...{ access_key_id: "AKIATEST", secret_access_key: "a-secret" },
};
const bucketThere = () => ({ ...bucket, endpoint_url: there() });
const hook = () => ({ name: "on call", template: "json", url: there("/hook") });

/** Everything that leaves the machine, and the status of the answer while the installation is quiet. */
const leaving: [what: string, act: () => Promise<{ status: number }>, whileQuiet: number][] = [
  [
    "a delivery to an endpoint",
    async () => {
      const { body } = await send("POST", "/webhooks/endpoints", { url: there("/endpoint") });
      return send("POST", `/webhooks/endpoints/${body.id}/test`);
    },
    202,
  ],
  [
    "a callback of a run",
    () => send("POST", "/images/generations", { ...callbackRun, callback_url: there("/in") }),
    202,
  ],
  ["a test e-mail", () => send("POST", "/operator/mail/test", {}, operator.session), 503],
  [
    "an e-mail with a link",
    () => send("POST", "/account/invitations", { email: `x-${Date.now()}@example.com`, role: "member" }),
    201,
  ],
  [
    "a test of a chat notice",
    async () => {
      const { body } = await send("POST", "/notices/hooks", hook());
      return send("POST", `/notices/hooks/${body.id}/test`);
    },
    503,
  ],
  [
    "a chat notice",
    async () => {
      const made = await send("POST", "/notices/hooks", { ...hook(), causes: ["member.joined"] });
      await gateway.context.database.transaction((queries) =>
        recordCause(queries, {
          ...{ cause: "member.joined", accountId: account.accountId, subjectId: newId("user") },
          data: { name: "Ada", role: "member" },
        }),
      );
      return made;
    },
    201,
  ],
  ["a test of a bucket", () => send("POST", "/destinations/test", nameless(bucketThere())), 503],
  [
    "a copy to a bucket",
    async () => {
      const { body } = await send("POST", "/destinations", bucketThere());
      await send("POST", "/images/generations", picture);
      const [output] = await query(
        "select id from outputs where account_id = $1 order by id desc limit 1",
        account.accountId,
      );
      return send("POST", `/outputs/${output.id}/copies`, { destination: body.id });
    },
    202,
  ],
  ["a chat at a provider", () => send("POST", "/chat/completions", chat), 503],
  ["a streamed chat at a provider", () => send("POST", "/chat/completions", { ...chat, stream: true }), 503],
  ["a prediction at a provider", () => send("POST", "/videos/generations", film), 503],
  [
    "a batch at a provider",
    () => send("POST", "/batches", { model: "svc/chat-1", rows: [{ prompt: "Hi" }] }),
    202,
  ],
  [
    "a background response at a provider",
    () => send("POST", "/responses", { model: "svc/chat-1", input: "Hi", background: true }),
    503,
  ],
  [
    "the test of a provider",
    async () => {
      const made = await send(
        "POST",
        "/operator/providers",
        {
          ...{ name: `p${Date.now()}`, protocol: "openai", base_url: `http://127.0.0.1:${trap.port}/v1` },
          ...{ allow_private: true, credentials: { "us-virginia": { key: "sk-test-0001" } } },
        },
        operator.session,
      );
      return send("POST", `/operator/providers/${made.body.id}/test`, undefined, operator.session);
    },
    // The answer says why it did not work.
    200,
  ],
  [
    "media that a request names",
    () => send("POST", "/images/edits", { ...picture, image: there("/one.png") }),
    503,
  ],
  [
    "an agent's description of itself",
    () => {
      const client = { client_id: there("/agent.json"), redirect_uri: "http://127.0.0.1/callback" };
      return send("POST", "/authorization/requests", { ...client, response_type: "code" });
    },
    503,
  ],
];
const callbackRun = {
  ...{ model: "svc/img-gen-b", prompt: "waves", quality: "low", size: "1024x1024", output_format: "jpeg" },
};
const warnLevel = 40;
function nameless({ name: _, ...rest }: typeof bucket) {
  return rest;
}

describe("an installation that is not quiet", () => {
  beforeAll(() => start(false));
  afterAll(stop);

  it.each(leaving)("sends %s", async (_what, act) => {
    const before = trap.connections;
    const { status, ...answer } = await act();
    expect(status, JSON.stringify(answer)).not.toBe(404);
    await expect.poll(() => trap.connections).toBeGreaterThan(before);
  });
});

describe("an installation that is quiet", () => {
  beforeAll(() => start(true));
  afterAll(stop);

  it.each(leaving)("does not send %s", async (_what, act, expected) => {
    const { status, headers, ...answer } = (await act()) as Awaited<ReturnType<typeof send>>;
    expect(status, JSON.stringify(answer)).toBe(expected);
    expect(headers.get("x-svc-quiet")).toBe("on");
    if (status === 503) expect(JSON.stringify(answer)).toContain("GATEHOUSE_QUIET=on");
    const failed = gateway.logLines.splice(0).filter((line) => line.includes('"request failed"'));
    for (const line of failed) {
      expect(JSON.parse(line).level).toBe(warnLevel);
      expect(line).not.toContain("stack");
    }
  });

  it("says so in Health, in every account and on unknown routes", async () => {
    expect((await send("GET", "/operator/health", undefined, operator.session)).body.quiet).toBe(true);
    expect((await send("GET", "/account")).body.quiet).toBe(true);
    expect((await send("GET", "/nothing")).headers.get("x-svc-quiet")).toBe("on");
  });

  it("lets a prediction at an upstream wait, also beyond its deadline", async () => {
    const { body } = await send("POST", "/images/generations", callbackRun);
    const read = async () => (await send("GET", `/predictions/${body.id}`)).body;
    await expect.poll(async () => (await read()).status).toBe("succeeded");
    const ref = { provider: "main", region: "us-virginia", id: "far-away" };
    await query(
      `update predictions set status = 'processing', completed_at = null, expires_at = null, provider_ref = $2,
         deadline_at = now() - interval '1 minute', next_check_at = now(), lease_owner = null, lease_expires_at = null
       where id = $1`,
      body.id,
      JSON.stringify(ref),
    );
    // A worker looked at it, and will look again.
    const looked = "select from predictions where id = $1 and next_check_at > now() and lease_owner is null";
    await expect.poll(() => query(looked, body.id)).toHaveLength(1);
    expect((await read()).status).toBe("processing");
  });

  it("lets background runs wait without using up their attempts", () => {
    const after = afterFailure(new QuietError(), { isDispatched: false }, 5, {
      signal: new AbortController().signal,
    });
    expect(after).toMatchObject({ next: "try again", attempts: 5 });
  });

  it("keeps what is due, and sends it when it is no longer quiet", async () => {
    const { context } = gateway;
    const waiting = "select from webhook_deliveries where status = 'pending' and attempts = 0";
    expect((await query(waiting)).length).toBeGreaterThan(1);
    expect(await query("select from batch_rows where status = 'failed'")).toEqual([]);
    expect(await query("select from copies where status = 'pending'")).not.toEqual([]);
    expect(await query("select from notice_messages where sent_at is null and hook_id is null")).not.toEqual(
      [],
    );
    // Nothing has connected to the other machine until now.
    expect(trap.connections).toBe(0);
    setQuiet(false);
    const deliveries = await startDeliveries(context);
    await expect.poll(() => query(waiting)).toEqual([]);
    await deliveries.stop();
    expect(trap.connections).toBeGreaterThan(1);
  });
});
