import { describe, expect, it, vi } from "vitest";
import { clientAddressHeader } from "#contract/client-address.ts";
import { isInNetworks } from "#gateway/platform/core/networks.ts";
import { signClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { shared } from "#gateway/testing/fixture.ts";
import {
  call,
  refusal,
  sender,
  startTestGateway,
  type TestAccount,
  testPassword,
} from "#gateway/testing/gateway.ts";
import type { AuditEntry } from "../audit.ts";
import { AddressRefusals } from "./rule.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const send = sender(() => gateway);

/** The address of the tests' own requests, and networks with and without it. */
const here = "127.0.0.1";
const inside = ["127.0.0.0/8"];
const office = "203.0.113.7";
const outside = ["203.0.113.0/24", "2001:db8::/32"];

/** A request that the console passes on for somebody at this address. */
const sendFrom = (address: string, bearer: string | null, method: string, to: string, body?: object) => {
  const secret = gateway.context.config.consoleSecrets[0] ?? "";
  return call(gateway, bearer, method, to, body, {
    [clientAddressHeader]: signClientAddress(secret, address),
  });
};
const setNetworks = (account: TestAccount, networks: object) =>
  send(account.session, "PATCH", "/account/networks", networks);
const auditOf = async (account: TestAccount, bearer = account.session, from = here) => {
  const { body } = await sendFrom(from, bearer, "GET", "/audit_logs");
  return body.data as { action: string; ip: string; detail: object | null; actor: object }[];
};
const messageOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.error as { message: string }).message;

describe("networks of an account", () => {
  it("refuse its keys from elsewhere, in IPv4 and IPv6, but not its people", async () => {
    const account = await gateway.createAccount();
    expect((await send(account.key, "GET", "/account")).status).toBe(200);
    const set = await setNetworks(account, { keys: outside });
    expect(set.body).toEqual({ object: "account.networks", sign_in: null, keys: outside, address: here });
    await expect.poll(async () => (await send(account.key, "GET", "/account")).status).toBe(403);
    const refused = await send(account.key, "GET", "/predictions");
    expect(refused).toMatchObject(refusal(403, "network_not_allowed"));
    expect(messageOf(refused)).toContain(here);
    for (const [address, status] of [
      [office, 200],
      [`::ffff:${office}`, 200],
      ["::ffff:cb00:7107", 200],
      ["2001:db8::1", 200],
      ["203.0.114.7", 403],
      ["2001:db9::1", 403],
    ] as const)
      expect((await sendFrom(address, account.key, "GET", "/account")).status, address).toBe(status);
    expect((await send(account.session, "GET", "/account")).status).toBe(200);
    const rows = (await auditOf(account)).slice(0, 2);
    expect(rows).toMatchObject([
      { action: "account.address_refused", ip: here, actor: { type: "key" } },
      { action: "account.networks_updated", detail: { keys: outside } },
    ]);
  });

  it("lock nobody out without a confirmation, and refuse sign-ins and sessions from elsewhere", async () => {
    const account = await gateway.createAccount();
    const refused = await setNetworks(account, { sign_in: outside });
    expect(refused).toMatchObject(refusal(409, "own_address_outside"));
    expect(messageOf(refused)).toContain(here);
    expect((await setNetworks(account, { sign_in: inside })).status).toBe(200);
    expect((await setNetworks(account, { sign_in: outside, confirmed: true })).status).toBe(200);
    await expect.poll(async () => (await send(account.session, "GET", "/account")).status).toBe(403);
    expect((await send(account.key, "GET", "/account")).status).toBe(200);
    const proof = { email: account.email, password: testPassword };
    const signIn = (address: string) => sendFrom(address, null, "POST", "/account/sessions", proof);
    expect(await signIn(here)).toMatchObject(refusal(403, "network_not_allowed"));
    expect((await signIn(office)).status).toBe(201);
    const actions = (await auditOf(account, account.session, office)).map(({ action }) => action);
    // One for the session and the sign-in together: both are the same person.
    expect(actions.filter((action) => action === "account.address_refused")).toHaveLength(1);
  });

  it("leave a person their other accounts", async () => {
    const closed = await gateway.createAccount();
    const open = await gateway.createAccount();
    const member = await gateway.addMember(closed, "member");
    await gateway.addMember(open, "member", member);
    await setNetworks(closed, { sign_in: outside, confirmed: true });
    const listed = () => send(member.session, "GET", "/accounts");
    await expect.poll(async () => (await listed()).status).toBe(200);
    const inAccount = (id: string) =>
      call(gateway, member.session, "GET", "/account", undefined, { "x-svc-account": id });
    await expect.poll(async () => (await inAccount(closed.accountId)).status).toBe(403);
    expect((await inAccount(open.accountId)).status).toBe(200);
    const proof = { email: member.email, password: testPassword };
    const { body } = await send(null, "POST", "/account/sessions", proof);
    expect(body).toMatchObject({ account: { id: open.accountId } });
  });

  it("end open streams of callers from elsewhere", async () => {
    const account = await gateway.createAccount();
    const { key, accountId } = account;
    const actor = await gateway.context.credentials.find(key, here);
    const ended = vi.fn();
    gateway.context.credentials.watch(actor, "predictions:read", ended);
    await setNetworks(account, { keys: outside });
    await expect.poll(() => ended.mock.calls.length, { timeout: 3_000 }).toBe(1);
    expect(await gateway.context.credentials.isStillAllowed(actor, "operations:run")).toBe(true);
    expect(accountId).toBe(actor.accountId);
  });

  it("refuse what is no network, and too many", async () => {
    const account = await gateway.createAccount();
    for (const text of ["10.0.0/8", "10.0.0.0/33", "office", "10.0.0.0/x"]) {
      const wrong = await setNetworks(account, { keys: ["10.0.0.1", text] });
      expect(wrong, text).toMatchObject({ status: 400, body: { error: { param: "keys[1]" } } });
    }
    const many = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`);
    for (const keys of [many, [], ["10.0.0.1", "10.0.0.1"]])
      expect((await setNetworks(account, { keys })).status).toBe(400);
  });
});

describe("networks of a key", () => {
  it("apply besides those of its account, to its sessions and to the keys that it makes", async () => {
    const { session } = await gateway.createAccount();
    const made = await send(session, "POST", "/keys", { name: "ci", networks: inside });
    expect(made.body).toMatchObject({ networks: inside });
    const key = String(made.body.secret);
    const to = `/keys/${made.body.id}`;
    const opened = await send(key, "POST", "/account/sessions/key");
    const bearers = [key, String(opened.body.token)];
    const statuses = () =>
      Promise.all(bearers.map(async (bearer) => (await send(bearer, "GET", "/account")).status));
    expect(await statuses()).toEqual([200, 200]);
    const wider = await send(key, "POST", "/keys", { name: "wider" });
    expect(wider).toMatchObject({ status: 403, body: { error: { param: "networks" } } });
    const narrower = await send(key, "POST", "/keys", { name: "same", networks: inside });
    expect(narrower.status).toBe(201);
    await send(session, "PATCH", to, { networks: outside });
    await expect.poll(statuses).toEqual([403, 403]);
    await send(session, "PATCH", to, { networks: null });
    await expect.poll(statuses).toEqual([200, 200]);
  });
});

describe("CONSOLE_ALLOW_CIDRS", () => {
  const behind = shared(() => startTestGateway({ role: "api", consoleAllowCidrs: [...outside, here] }));

  it("refuses sessions and sign-ins from elsewhere, and no key", async () => {
    const account = await behind.createAccount();
    const secret = behind.context.config.consoleSecrets[0] ?? "";
    const from = (address: string, bearer: string | null, method: string, to: string, body?: object) =>
      call(behind, bearer, method, to, body, { [clientAddressHeader]: signClientAddress(secret, address) });
    const proof = { email: account.email, password: testPassword };
    const asked = (address: string) => [
      from(address, account.session, "GET", "/account"),
      from(address, null, "POST", "/account/sessions", proof),
      from(address, account.key, "POST", "/account/sessions/key"),
    ];
    for (const refused of await Promise.all(asked("198.51.100.1"))) {
      expect(refused).toMatchObject(refusal(403, "network_not_allowed"));
      expect(messageOf(refused)).toMatch(/^This console .*198\.51\.100\.1/);
    }
    expect((await Promise.all(asked(office))).map(({ status }) => status)).toEqual([200, 201, 201]);
    expect((await call(behind, account.key, "GET", "/account")).status).toBe(200);
  });
});

it("reads addresses in every notation, and none in what is no address", () => {
  const lists = ["10.0.0.0/8", "2001:db8::/32", "::ffff:192.0.2.0/120"];
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "::ffff:a01:203", "2001:DB8:0::1", "192.0.2.9"])
    expect(isInNetworks(lists, address), address).toBe(true);
  for (const address of ["11.0.0.1", "2001:db9::1", "fe80::1%eth0", "", "unknown", "192.0.3.1"])
    expect(isInNetworks(lists, address), address).toBe(false);
  expect(isInNetworks(["fe80::/10"], "fe80::1%eth0")).toBe(true);
  expect(isInNetworks(null, "unknown")).toBe(true);
});

it("writes two rows for a flood of refusals, however many addresses it comes from", async () => {
  const written: AuditEntry[] = [];
  const refusals = new AddressRefusals(async (entry) => written.push(entry));
  const key = { kind: "key", id: "key_1", name: "ci" } as const;
  const caller = { accountId: "acct_1", ...key, userId: null, sessionId: null };
  for (let at = 0; at < 1_000; at += 1) refusals.add(caller, `203.0.113.${at % 250}`);
  expect(written).toHaveLength(1);
  await refusals.close();
  expect(written).toHaveLength(2);
  expect(written[1]).toMatchObject({
    action: "account.address_refused",
    detail: { count: 999, addresses: { length: 20 } },
  });
});
