// @vitest-environment node
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { personHeader } from "../../person.ts";
import { personOf, type SessionToken } from "../session-cookie.ts";
import { relay } from "./relay.ts";

const session = vi.hoisted(() => ({ token: null as { bearer: string } | null }));
vi.mock("../session.ts", () => ({ sessionToken: async () => session.token }));

let gateway: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: IncomingMessage | null;

beforeEach(async () => {
  seen = null;
  session.token = { bearer: "tok_1" };
  answer = (_request, response) => response.end("{}");
  gateway = createServer((request, response) => {
    seen = request;
    answer(request, response);
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("GATEWAY_URL", `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(`http://localhost:3000/api/gateway${path}`, {
    ...init,
    headers: { "sec-fetch-site": "same-origin", ...init.headers },
  });
  return relay(request, new URL(request.url).pathname.split("/").slice(3));
}

it("adds the credential, keeps the query and passes on only the listed headers", async () => {
  const response = await ask("/predictions?limit=5", {
    headers: {
      cookie: "next-auth.session-token=x",
      range: "bytes=0-9",
      "x-odd": "1",
      authorization: "Bearer stolen",
    },
  });
  expect(response.status).toBe(200);
  expect(seen?.url).toBe("/v1/predictions?limit=5");
  expect(seen?.headers).toMatchObject({ authorization: "Bearer tok_1", range: "bytes=0-9" });
  expect(seen?.headers.cookie).toBeUndefined();
  expect(seen?.headers["x-odd"]).toBeUndefined();
});

it("refuses a request, also for a stream, from a page that was rendered for somebody else", async () => {
  vi.stubEnv("CONSOLE_SECRET", "x".repeat(32));
  const own = { [personHeader]: personOf(session.token as SessionToken) };
  expect((await ask("/predictions", { headers: own })).status).toBe(200);
  const stranger = { [personHeader]: personOf({ bearer: "tok_2" } as SessionToken) };
  seen = null;
  for (const path of ["/predictions", "/predictions/pred_1/events"]) {
    const refused = await ask(path, { headers: stranger });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: "signed_in_as_another" } });
  }
  expect(seen).toBeNull();
});

it("takes the account of a file link from its address", async () => {
  await ask("/batches/batch_1/results.csv?account=acct_1");
  expect(seen?.url).toBe("/v1/batches/batch_1/results.csv");
  expect(seen?.headers["x-svc-account"]).toBe("acct_1");
});

it("streams request and event stream piece by piece", async () => {
  answer = async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "set-cookie": "a=b",
      "x-svc-region": "us-oregon",
    });
    response.write(`data: ${JSON.parse(body).model}\n\n`);
    // The server holds the second piece back until the client has read the first.
    response.once("drained", () => response.end("data: [DONE]\n\n"));
    release = () => response.emit("drained");
  };
  let release = () => {};
  const response = await ask("/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "k1" },
    body: JSON.stringify({ model: "svc/chat-1" }),
  });
  const reader = response.body?.getReader();
  const decode = (value?: Uint8Array) => new TextDecoder().decode(value);
  expect(decode((await reader?.read())?.value)).toBe("data: svc/chat-1\n\n");
  release();
  expect(decode((await reader?.read())?.value)).toBe("data: [DONE]\n\n");
  expect(seen?.headers["idempotency-key"]).toBe("k1");
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("x-svc-region")).toBe("us-oregon");
  expect(response.headers.get("cache-control")).toContain("no-transform");
  expect(response.headers.has("set-cookie")).toBe(false);
});

it("ends the upstream request when the browser disconnects", async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.once("close", () => resolve());
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": open\n\n");
    };
  });
  const abort = new AbortController();
  const response = await ask("/predictions/pred_1/events", { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await closed;
});

it("answers that the visitor must sign in when there is no session, or the gateway has ended it", async () => {
  answer = (_request, response) => response.writeHead(401).end('{"error":{"code":"invalid_api_key"}}');
  expect(await codeOf(await ask("/predictions"))).toEqual([401, "signed_out"]);
  session.token = null;
  seen = null;
  expect(await codeOf(await ask("/predictions"))).toEqual([401, "signed_out"]);
  expect(seen).toBeNull();
});

it("refuses other sites, unknown routes and routes that answer with a secret, without calling the gateway", async () => {
  const cross = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
  expect(await codeOf(await ask("/uploads", cross))).toEqual([403, "cross_site_request"]);
  expect(await codeOf(await ask("/webhooks/endpoints", { method: "POST" }))).toEqual([
    404,
    "route_not_found",
  ]);
  expect(await codeOf(await ask("/keys", { method: "POST" }))).toEqual([404, "route_not_found"]);
  expect(seen).toBeNull();
});

it("reports when the gateway does not answer", async () => {
  vi.stubEnv("GATEWAY_URL", "http://127.0.0.1:9");
  expect(await codeOf(await ask("/predictions"))).toEqual([502, "gateway_unreachable"]);
});

async function codeOf(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { error: { code: string } };
  return [response.status, body.error.code];
}
