import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import { clientAddressHeader } from "#contract/client-address.ts";
import { readTrustProxy } from "#gateway/platform/core/config.ts";
import { signClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { shared } from "#gateway/testing/fixture.ts";
import {
  call,
  startTestGateway,
  type TestAccount,
  type TestGateway,
  testPassword,
} from "#gateway/testing/gateway.ts";

const browser = "203.0.113.7";

/** The IP address in the audit row after a request with these headers. */
async function auditedAddress(gateway: TestGateway, account: TestAccount, headers: Record<string, string>) {
  const { body } = await call(gateway, account.session, "POST", "/keys", { name: "made" }, headers);
  const { body: logs } = await call(gateway, account.session, "GET", "/audit_logs?action=key.created");
  return (logs.data as { target_id: string; ip: string }[]).find(({ target_id }) => target_id === body.id)
    ?.ip;
}

describe("without trusted proxies", () => {
  let secret: string;
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());
  beforeAll(async () => {
    secret = gateway.context.config.consoleSecrets[0] ?? "";
  });

  it("ignores X-Forwarded-For and addresses that the console did not sign", async () => {
    for (const headers of [
      { "x-forwarded-for": browser },
      { [clientAddressHeader]: browser },
      { [clientAddressHeader]: signClientAddress("another-console", browser) },
      { [clientAddressHeader]: signClientAddress(secret, browser, Date.now() - 3_600_000) },
    ])
      expect(await auditedAddress(gateway, account, headers)).toBe("127.0.0.1");
  });

  it("records the browser's address from the console, for sign-in and attestation too", async () => {
    const headers = { [clientAddressHeader]: signClientAddress(secret, browser) };
    expect(await auditedAddress(gateway, account, headers)).toBe(browser);
    const { body: list } = await call(gateway, account.session, "GET", "/account/attestations");
    const version = (list.statements as { kind: string; version: string }[]).find(
      ({ kind }) => kind === "adult",
    );
    const attested = await call(
      gateway,
      account.session,
      "POST",
      "/account/attestations",
      { kind: "adult", statement_version: version?.version, confirmed: true },
      headers,
    );
    expect(attested.body).toMatchObject({ ip: browser });
    const input = { email: account.email, password: testPassword };
    const { body } = await call(gateway, null, "POST", "/account/sessions", input, headers);
    const { body: logs } = await call(gateway, account.session, "GET", "/audit_logs?action=session.created");
    const row = (logs.data as { target_id: string; ip: string }[]).find(
      ({ target_id }) => target_id === body.id,
    );
    expect(row?.ip).toBe(browser);
  });

  it("gets the browser's address from the console's process, whatever the browser claims", async () => {
    // A server in a process that is started like the console.
    const preload = path.resolve("scripts/start/client-address.mjs");
    const server = `require("node:http").createServer((request, response) => response.end(request.headers["${clientAddressHeader}"]))
      .listen(0, "127.0.0.1", function () { console.log(this.address().port) })`;
    const child = spawn(process.execPath, ["--import", preload, "-e", server], {
      env: { ...process.env, CONSOLE_SECRET: secret, TRUST_PROXY: "loopback" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [port] = await once(createInterface({ input: child.stdout }), "line");
      const passedOn = async (headers: Record<string, string>) =>
        (await fetch(`http://127.0.0.1:${port}`, { headers })).text();
      const claims = { [clientAddressHeader]: signClientAddress("guessed", "198.51.100.1") };
      const direct = { [clientAddressHeader]: await passedOn(claims) };
      expect(await auditedAddress(gateway, account, direct)).toBe("127.0.0.1");
      const proxied = {
        [clientAddressHeader]: await passedOn({ "x-forwarded-for": `198.51.100.1, ${browser}` }),
      };
      expect(await auditedAddress(gateway, account, proxied)).toBe(browser);
      // Next sends an action on with the headers of the first request.
      const own = { [clientAddressHeader]: signClientAddress(secret, browser) };
      for (const [headers, address] of [
        [{ ...own, "x-action-forwarded": "1" }, browser],
        [{ ...claims, "x-action-forwarded": "1" }, "127.0.0.1"],
        [own, "127.0.0.1"],
      ] as const) {
        const sentOn = { [clientAddressHeader]: await passedOn(headers) };
        expect(await auditedAddress(gateway, account, sentOn)).toBe(address);
      }
    } finally {
      child.kill();
      await once(child, "exit");
    }
  });
});

it("trusts the proxies of TRUST_PROXY", async () => {
  const gateway = await startTestGateway({ role: "api", trustProxy: readTrustProxy("10.0.0.0/8, loopback") });
  const account = await gateway.createAccount();
  for (const [address, proxy] of [
    [browser, "10.1.2.3"],
    [`${browser}:5678`, "10.1.2.3:99"],
  ]) {
    const headers = { "x-forwarded-for": `198.51.100.1, ${address}, ${proxy}` };
    expect(await auditedAddress(gateway, account, headers)).toBe(browser);
  }
  await gateway.close();
});

it("refuses to start with TRUST_PROXY=on, and says what to write instead", () => {
  expect(() => readTrustProxy("on")).toThrow(/TRUST_PROXY=on trusted every caller.*loopback/);
  expect(() => readTrustProxy("10.0.0/8")).toThrow(/TRUST_PROXY.*10\.0\.0\/8/);
  expect(readTrustProxy("off").isTrusted("127.0.0.1")).toBe(false);
});
