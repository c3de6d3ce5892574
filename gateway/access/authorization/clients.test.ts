import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { asking, callTool, codeForm, codeIn, consentTo, register, sendForm } from "#gateway/testing/agent.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { authorizationClientSweep, isNamed, redirectFault } from "./clients.ts";

const authority = shared(() => makeAuthority(inject("testServer").folder));
const web = shared(() => startReceiver(authority.local));
const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
beforeEach(async () => {
  web.received.length = 0;
  reach(["127.0.0.0/8"]);
  await gateway.context.database.queries.execute(sql`delete from rate_buckets`).catch(() => {});
});

/** Sets the private networks from which the gateway may load client documents. */
function reach(allowCidrs: string[]): void {
  const { webhooks } = gateway.context.config;
  Object.assign(webhooks, { allowCidrs, ports: [443, web.port], caFile: authority.caFile });
}

const callback = "https://agent.example/callback";
const read = (clientId: string, redirectUri = callback) =>
  call(
    gateway,
    account.session,
    "POST",
    "/authorization/requests",
    asking(gateway, clientId, redirectUri).asked,
  );

let made = 0;
/** Publishes this document at a new URL. */
function publish(change: Record<string, unknown> = {}, send?: (response: ServerResponse) => void): string {
  made += 1;
  const address = `${web.url}/clients/${made}.json`;
  const document = { client_id: address, client_name: "Claude", redirect_uris: [callback], ...change };
  web.answer((_, response) => {
    if (send) return send(response);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  return address;
}

describe("a client that identifies itself by a metadata URL", () => {
  it("is shown with the host of that URL, and connects", async () => {
    const address = publish();
    expect((await read(address)).body).toMatchObject({
      client: { id: address, name: "Claude", host: `127.0.0.1:${web.port}`, verified: true },
      redirect_host: "agent.example",
      redirect_kind: "web",
    });
    const agent = asking(gateway, address, callback);
    const { body } = await consentTo(gateway, account.session, agent);
    const tokens = await sendForm(gateway, "/oauth/token", codeForm(agent, codeIn(body)));
    expect((await callTool(gateway, tokens.body.access_token ?? "", "search_models", {})).status).toBe(200);
    expect(web.received.length, "one fetch, then from memory").toBe(1);
  });

  it.each([
    ["the document of another", { client_id: "https://another.example/client.json" }],
    ["no addresses to go back to", { redirect_uris: [] }],
    ["addresses that are no list", { redirect_uris: callback }],
    ["too many addresses", { redirect_uris: Array.from({ length: 21 }, (_, at) => `${callback}/${at}`) }],
    ["a secret to authenticate with", { token_endpoint_auth_method: "client_secret_basic" }],
  ])("is refused with %s", async (_, change) => {
    expect(await read(publish(change))).toMatchObject(refusal(400, "invalid_client"));
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["a redirect", (response) => response.writeHead(302, { location: `${web.url}/elsewhere.json` }).end()],
    ["no document", (response) => response.writeHead(404).end()],
    ["a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
    ["broken JSON", (response) => response.writeHead(200, { "content-type": "application/json" }).end("{")],
    ["a list", (response) => response.writeHead(200, { "content-type": "application/json" }).end("[]")],
    [
      "more than it may be",
      (response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ a: "x".repeat(20_000) })),
    ],
  ])("is refused with %s instead", async (_, send) => {
    const address = publish({}, send);
    expect(await read(address)).toMatchObject(refusal(400, "invalid_client"));
    expect(web.received.map(({ path }) => path)).toEqual([new URL(address).pathname]);
  });

  it("is given up if its document never ends", { timeout: 15_000 }, async () => {
    const address = publish({}, (response) =>
      response.writeHead(200, { "content-type": "application/json" }).write('{"client_id":'),
    );
    expect(await read(address)).toMatchObject(refusal(400, "invalid_client"));
  });

  it("is not read from a private address", async () => {
    reach([]);
    const ofWeb = `${web.url}/clients/private.json`;
    for (const address of [
      ofWeb,
      "https://10.0.0.1/client.json",
      "https://[::1]/client.json",
      "https://169.254.169.254/latest",
      "https://gateway.internal/client.json",
    ])
      expect(await read(address), address).toMatchObject(refusal(400, "invalid_client"));
    expect(web.received).toEqual([]);
  });

  it.each([
    "http://agent.example/client.json",
    "https://agent.example",
    "https://agent.example/",
    "https://agent.example/client.json#part",
    "https://user:secret@agent.example/client.json",
    "https://agent.example/a/../client.json",
    "https://AGENT.example/client.json",
    `https://agent.example/${"x".repeat(2_000)}`,
    "__proto__",
  ])("cannot have the URL %s", async (address) => {
    expect(await read(address)).toMatchObject(refusal(400, "invalid_client"));
  });

  it("keeps only its valid redirect addresses", async () => {
    const address = publish({
      redirect_uris: ["javascript:alert(1)", callback],
      client_name: "A\u202eb\u0000",
    });
    expect((await read(address)).body.client).toMatchObject({ name: "Ab" });
    expect(await read(address, "javascript:alert(1)")).toMatchObject(refusal(400, "invalid_parameter"));
  });
});

describe("a client that registers itself", () => {
  it("gets an id but no secret, whatever it requests", async () => {
    const { status, body } = await register(gateway, {
      redirect_uris: [callback],
      client_name: "Agent",
      token_endpoint_auth_method: "client_secret_post",
      software_version: "1",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^client_\w{43}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Agent",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
    expect((await read(String(body.client_id))).body.client).toMatchObject({ verified: false, host: null });
  });

  it.each([
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: "https://agent.example" }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://agent.example/callback"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [1] }, "invalid_redirect_uri"],
    [{ redirect_uris: [callback], grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    [{ redirect_uris: [callback], response_types: ["token"] }, "invalid_client_metadata"],
  ])("is refused when it sends %j", async (metadata, error) => {
    expect(await register(gateway, metadata)).toMatchObject({ status: 400, body: { error } });
  });

  it("is forgotten after a day, unless somebody connected it", async () => {
    const unused = String((await register(gateway)).body.client_id);
    const used = String((await register(gateway)).body.client_id);
    await consentTo(gateway, account.session, asking(gateway, used));
    const { queries } = gateway.context.database;
    await queries.execute(
      sql`update authorization_clients set expires_at = expires_at - interval '25 hours'`,
    );
    await authorizationClientSweep.run(gateway.context);
    const { rows } = await queries.execute<{ id: string }>(sql`select id from authorization_clients`);
    const ids = rows.map(({ id }) => id);
    expect(ids).toContain(used);
    expect(ids).not.toContain(unused);
  });

  it("is refused while too many registered clients are not connected", async () => {
    const { queries } = gateway.context.database;
    await queries.execute(sql`insert into authorization_clients (id, name, redirect_uris, expires_at)
      select 'client_' || n, 'x', '{}', now() + interval '1 day' from generate_series(1, 10000) n`);
    expect(await register(gateway)).toMatchObject({
      status: 503,
      body: { error: "temporarily_unavailable" },
    });
    await queries.execute(sql`delete from authorization_clients where name = 'x'`);
  });

  it("is refused after thirty registrations from one address in an hour", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => register(gateway)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(9);
    expect(refused[0]?.body).toMatchObject({ error: "temporarily_unavailable" });
  });
});

describe("a redirect address", () => {
  it.each([
    "https://agent.example/callback?a=1",
    "http://localhost/callback",
    "http://127.0.0.1:8123/",
    "http://[::1]:1/",
    "cursor://anysphere.cursor-retrieval/oauth/callback",
    "com.example.app:/callback",
  ])("may be %s", (uri) => {
    expect(redirectFault(uri)).toBeNull();
  });

  it.each([
    "http://agent.example/callback",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.2/",
    "javascript://x/%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://agent.example/#fragment",
    "https://user@agent.example/",
    "https://agent.example/\u202e",
    "/callback",
    "",
    7,
    null,
  ])("may not be %j", (uri) => {
    expect(redirectFault(uri)).not.toBeNull();
  });

  it("must match exactly, except for the port on this device", () => {
    const named = ["https://agent.example/callback", "http://127.0.0.1:1/callback", "http://localhost/cb"];
    for (const uri of [
      named[0],
      "http://127.0.0.1:65000/callback",
      "http://127.0.0.1/callback",
      "http://localhost:9/cb",
    ])
      expect(isNamed(uri ?? "", named), uri).toBe(true);
    for (const uri of [
      "https://agent.example/callback/",
      "https://agent.example:444/callback",
      "https://AGENT.example/callback",
      "http://127.0.0.1:1/other",
      "http://127.0.0.1:1/callback?x=1",
      "http://localhost:1/callback",
      "http://[::1]:1/callback",
    ])
      expect(isNamed(uri, named), uri).toBe(false);
  });
});
