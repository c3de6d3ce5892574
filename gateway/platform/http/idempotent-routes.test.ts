import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Route } from "#contract/routes/route.ts";
import { sections } from "#contract/routes/table.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

/*
 * Programs set `Idempotency-Key` on every POST, so every POST that creates something honours it, and the others
 * ignore it. Operations are in `rules.test.ts`.
 */

/** POSTs that create something and still ignore the header. */
const exceptions: Record<string, string> = {
  "POST /shared/{token}/reports": "without an account to keep the key for",
  "POST /account/setup": "without an account to keep the key for; only the first request succeeds",
  "POST /account/invitations/accept": "without an account to keep the key for; a link is accepted once",
  "POST /account/password/forgotten": "without an account to keep the key for; a new link replaces the last",
  "POST /account/sessions": "the answer is a token, and the body has a password",
  "POST /account/sessions/passkey/options": "the answer is a challenge that is used once",
  "POST /account/sessions/passkey": "the answer is a token",
  "POST /account/sessions/second_factor": "the answer is a token",
  "POST /account/sessions/key": "the answer is a token",
  "POST /account/email": "the body has a password, and no hash of it may be stored",
  "POST /account/second_factor/totp": "the answer is a secret; a new one replaces it",
  "POST /account/second_factor/totp/confirm": "the answer is secret codes; a code confirms once",
  "POST /account/second_factor/recovery_codes": "the answer is secret codes; new ones replace them",
  "POST /account/passkeys/options": "the answer is a challenge that is used once",
  "POST /account/passkeys": "a challenge is used once",
  "POST /authorization/consents": "the answer is a code that is used once, within a minute",
  "POST /outputs/{id}/keep":
    "an output is kept once; an answer may have a file that the next caller may not see",
  "POST /presets/{id}/versions/{version}/restore":
    "the answer has an input that the next caller may not see; an extra version changes nothing",
};

/** POSTs that create nothing: they ask, try, or bring something into a state in which a repeat finds it. */
const asking =
  /\/(input_tokens|count_tokens|verify|lookup|check|preview|proposal|doctor|test|requests|start|callback)$/;
const changing =
  /\/(cancel|stop|pause|resume|end|raise|read|read_all|remove|dismiss|undo|pick|confirm|map|logout|accept|drain|suspension|deletion)$/;
const creatingNothing = [
  ...["POST /webhooks/deliveries/retry", "POST /account/password", "POST /account/password/reset"],
  ...["POST /operator/file", "POST /operator/routes/preview", "POST /chat/completions/{id}"],
];

const posts = Object.values(sections).flatMap((routes) =>
  (Object.entries(routes) as [string, Route][]).filter(([name]) => name.startsWith("POST ")),
);

it("every POST that creates something honours the header, or has a reason", () => {
  const ignoring = posts.filter(([, { idempotent }]) => !idempotent);
  const createsNothing = (name: string, { answers = {} }: Route) =>
    !Object.hasOwn(answers, 201) &&
    !Object.hasOwn(answers, 202) &&
    (asking.test(name) || changing.test(name) || creatingNothing.includes(name));
  const unknown = ignoring.filter(
    ([name, route]) => !Object.hasOwn(exceptions, name) && !createsNothing(name, route),
  );
  expect(unknown.map(([name]) => name)).toEqual([]);
  const names = ignoring.map(([name]) => name);
  expect([...Object.keys(exceptions), ...creatingNothing].filter((name) => !names.includes(name))).toEqual(
    [],
  );
});

let leaving: TestAccount;
let member: string;
/** Objects that some of the requests name. */
const made = { output: "", invitation: "", key: "", incident: "", model: "acme/first" };

const post = (to: string, body?: unknown, key?: string, bearer = owner.session) =>
  call(gateway, bearer, "POST", to, body, key === undefined ? {} : { "idempotency-key": key });
const created = async (to: string, body: unknown) => {
  const answer = await post(to, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

const gateway = shared(() => startTestGateway({ role: "api" }));
const owner = shared(() => gateway.createAccount());
beforeAll(async () => {
  member = (await gateway.addMember(owner, "member")).userId;
  await created("/images/generations", { model: "svc/img-gen-a-1", prompt: "A rock", size: "256x256" });
  const { body } = await call(gateway, owner.session, "GET", "/outputs");
  made.output = (body.data as { id: string }[])[0]?.id ?? "";
  made.invitation = String(
    (await created("/account/invitations", { email: "b@example.com", role: "member" })).id,
  );
  made.key = String((await created("/keys", { name: "old", kind: "service" })).id);
  made.incident = String((await created("/operator/incidents", incident("Before"))).id);
  await created("/operator/models", entry(made.model));
  const change = { safety_requirements: { adult_attestation_required: true } };
  expect(await call(gateway, owner.session, "PATCH", `/operator/models/${made.model}`, change)).toMatchObject(
    {
      status: 200,
    },
  );
  await created("/operator/receipt_keys/rotate", undefined);
  leaving = await gateway.createAccount();
}, 60_000);

const incident = (title: string) => ({ title, impact: "minor", text: "We look into it." });
const template = { model: "svc/chat-1", api_type: "chat-completions" };
const entry = (id: string) => ({ id, template });
const price = {
  ...{ model: "svc/chat-1", api_type: "chat-completions", currency: "USD" },
  components: [{ kind: "input_token", per: 1_000, rate: "1" }],
};
const provider = {
  ...{ name: "acme", protocol: "openai", base_url: "https://api.example.com/v1" },
  credentials: { "us-virginia": { key: "sk-the-first-key-0001" } },
};
const hook = { name: "ops", template: "slack", url: "https://hooks.example.com/x" };
const statement = () => ({
  ...{ kind: "adult", statement_version: statements.adult.version, confirmed: true },
});

interface Way {
  route: string;
  to?: () => string;
  bearer?: () => string;
  body: () => unknown;
  other?: unknown;
  /** Counts what was made. */
  count: string;
  /** Fields that a replay lacks. */
  secrets?: string[];
}

const ways: Way[] = [
  {
    route: "POST /outputs/{id}/shares",
    to: () => `/outputs/${made.output}/shares`,
    ...{ body: () => ({ expires_in: 600 }), other: { expires_in: 700 }, count: "from shares" },
  },
  {
    route: "POST /account/invitations",
    body: () => ({ email: "a@example.com", role: "member" }),
    ...{ other: { email: "a@example.com", role: "viewer" }, count: "from invitations" },
    secrets: ["url", "token"],
  },
  {
    route: "POST /account/invitations/{id}/renew",
    to: () => `/account/invitations/${made.invitation}/renew`,
    ...{ body: () => undefined, count: "from audit_logs where action = 'invitation.renewed'" },
    secrets: ["url", "token"],
  },
  {
    route: "POST /account/members/{user_id}/reset",
    to: () => `/account/members/${member}/reset`,
    ...{ body: () => undefined, count: "from password_resets", secrets: ["url", "token"] },
  },
  {
    route: "POST /account/attestations",
    ...{ body: statement, count: "from attestations" },
  },
  {
    route: "POST /account/export",
    body: () => ({ name: "Account 3" }),
    bearer: () => leaving.session,
    count: "from audit_logs where action = 'account.export_begun'",
  },
  {
    route: "POST /account/deletion",
    body: () => ({ name: "Account 3" }),
    bearer: () => leaving.session,
    count: "from audit_logs where action = 'account.deletion_scheduled'",
  },
  {
    route: "POST /keys/{id}/rotate",
    to: () => `/keys/${made.key}/rotate`,
    ...{ body: () => ({ grace_seconds: 60 }), other: { grace_seconds: 61 } },
    ...{ count: "from audit_logs where action = 'key.rotated'", secrets: ["secret"] },
  },
  {
    route: "POST /notices/hooks",
    body: () => hook,
    other: { ...hook, name: "x" },
    count: "from notice_hooks",
  },
  {
    route: "POST /operator/notice_hooks",
    ...{ body: () => hook, other: { ...hook, name: "x" }, count: "from notice_hooks" },
  },
  {
    route: "POST /operator/models",
    ...{ body: () => entry("acme/second"), other: entry("acme/third"), count: "from own_models" },
  },
  {
    route: "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore",
    to: () => `/operator/models/${made.model}/revisions/1/restore`,
    ...{ body: () => undefined, count: "from own_model_revisions" },
  },
  {
    route: "POST /operator/providers",
    ...{ body: () => provider, other: { ...provider, name: "other" }, count: "from provider_connections" },
  },
  {
    route: "POST /operator/prices",
    ...{ body: () => price, other: { ...price, model: "svc/chat-2" }, count: "from prices" },
  },
  {
    route: "POST /operator/prices/import",
    ...{ body: () => ({ prices: [price] }), other: { prices: [] }, count: "from prices" },
  },
  {
    route: "POST /operator/plans",
    body: () => ({ name: "Small", requests_per_minute: 60 }),
    ...{ other: { name: "Large" }, count: "from limit_plans" },
  },
  {
    route: "POST /operator/markups",
    body: () => ({ account_id: owner.accountId, percent: "5" }),
    ...{ other: { percent: "6" }, count: "from markups" },
  },
  {
    route: "POST /operator/incidents",
    ...{ body: () => incident("Slow"), other: incident("Slower"), count: "from incidents" },
  },
  {
    route: "POST /operator/incidents/{id}/updates",
    to: () => `/operator/incidents/${made.incident}/updates`,
    body: () => ({ status: "identified", text: "Found." }),
    ...{ other: { status: "resolved", text: "Over." }, count: "from incident_updates" },
  },
  {
    route: "POST /operator/receipt_keys/rotate",
    ...{ body: () => undefined, count: "from receipt_keys" },
  },
];

describe.each(ways.map((one) => [one.route, one] as const))(
  "%s",
  (route, {
    to = () => route.slice("POST ".length),
    bearer = () => owner.session,
    body,
    other,
    count,
    secrets = [],
  }) => {
    const counted = async () =>
      Number(
        (await gateway.context.database.pool.query(`select count(*) as made ${count}`)).rows[0]?.made ?? 0,
      );

    it("creates once for requests at the same time and a repeat", async () => {
      const before = await counted();
      const key = `once ${route}`.replaceAll(" ", "-");
      const together = await Promise.all([1, 2, 3].map(() => post(to(), body(), key, bearer())));
      const first = together.find(
        ({ status, headers }) => status < 300 && !headers.has("idempotent-replayed"),
      );
      expect(first, JSON.stringify(together.map((one) => one.body))).toBeDefined();
      for (const { status, headers } of together)
        if (!headers.has("idempotent-replayed")) expect([first?.status, 409]).toContain(status);
      const again = await post(to(), body(), key, bearer());
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect([again.status, again.headers.get("location")]).toEqual([
        first?.status,
        first?.headers.get("location"),
      ]);
      const shown = Object.entries(first?.body ?? {}).filter(([name]) => !secrets.includes(name));
      expect(again.body).toEqual(Object.fromEntries(shown));
      for (const name of secrets) expect(first?.body).toHaveProperty(name);
      expect(await counted()).toBe(before + 1);
      const { rows } = await gateway.context.database.pool.query(
        "select response_body from idempotency_keys",
      );
      const stored = rows.map((row) => String(row.response_body)).join("\n");
      for (const name of secrets) expect(stored).not.toContain(String(first?.body[name]));
      if (other !== undefined)
        expect(await post(to(), other, key, bearer())).toMatchObject({
          ...{ status: 422, body: { error: { code: "idempotency_key_reused" } } },
        });
    });
  },
);

it.each([undefined, "lost"])(
  "an error that may come after the write invites no retry (key: %s)",
  async (key) => {
    const { database } = gateway.context;
    const { transaction } = database;
    const lost = vi.spyOn(database, "transaction").mockImplementation(async (...work) => {
      await transaction.apply(database, work);
      throw new Error("Connection terminated unexpectedly");
    });
    const { status, headers } = await post("/keys", { name: "Lost", kind: "service" }, key, owner.session);
    lost.mockRestore();
    expect([status, headers.get("x-should-retry"), headers.get("retry-after")]).toEqual([503, "false", null]);
  },
);

describe("POST /files", () => {
  const send = async (bytes: string, key: string, more: Record<string, string> = {}) => {
    const form = new FormData();
    form.set("content", new Blob([bytes]), "table.csv");
    for (const [name, value] of Object.entries(more)) form.set(name, value);
    const headers = { authorization: `Bearer ${owner.key}`, "idempotency-key": key };
    const answer = await fetch(`${gateway.url}/files`, { method: "POST", headers, body: form });
    const body = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, replayed: answer.headers.get("idempotent-replayed"), body };
  };
  const counted = async () =>
    Number((await gateway.context.database.pool.query("select count(*) as n from uploads")).rows[0]?.n);

  it("stores a file once for its bytes and fields, whatever the boundary of the body", async () => {
    const before = await counted();
    const together = await Promise.all([1, 2, 3].map(() => send("prompt\nA rock\n", "file")));
    const first = together.find(({ status, replayed }) => status === 201 && replayed === null);
    for (const { status } of together) expect([201, 409]).toContain(status);
    const again = await send("prompt\nA rock\n", "file");
    expect(again).toEqual({ ...{ status: 201, replayed: "true" }, body: first?.body });
    expect(await counted()).toBe(before + 1);
    const used = { status: 422, body: { error: { code: "idempotency_key_reused" } } };
    expect(await send("prompt\nA tree\n", "file")).toMatchObject(used);
    expect(await send("prompt\nA rock\n", "file", { purpose: "batch" })).toMatchObject(used);
    expect(await counted()).toBe(before + 1);
  });

  it("frees the key when the file was refused", async () => {
    expect(await send("prompt\nA rock\n", "refused", { purpose: "nothing" })).toMatchObject({ status: 400 });
    expect(await send("prompt\nA rock\n", "refused")).toMatchObject({ status: 201, replayed: null });
  });
});
