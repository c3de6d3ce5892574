import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { pino } from "pino";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { onlyKey } from "#gateway/models/providers/configuration.ts";
import { englishOf } from "#gateway/platform/core/sentences.ts";
import { type Authority, type Certificate, makeAuthority } from "#gateway/testing/certificates.ts";
import { askProvider } from "./ask.ts";

const log = pino({ level: "silent" });
const day = 86_400_000;
const servers: Server[] = [];
let authority: Authority;
let trusted: string[];

beforeAll(async () => {
  authority = await makeAuthority(mkdtempSync(path.join(os.tmpdir(), "gatehouse-troubles-")));
  trusted = tls.getCACertificates("default");
});
afterAll(() => {
  tls.setDefaultCACertificates(trusted);
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const serve = ({ key, cert }: Certificate) =>
  listen(createHttpsServer({ key, cert }, (_, response) => response.end('{"data":[]}')));

async function troubleAt(port: number, { host = "127.0.0.1", waitMs = 5_000 } = {}): Promise<string | null> {
  const base_url = `https://${host}:${port}/v1`;
  const { trouble } = await askProvider({
    connection: {
      name: "tested",
      entry: { protocol: "openai", base_url },
      keys: new Map([["us-virginia", onlyKey(null)]]),
      allowPrivate: true,
      isLeaving: false,
    },
    region: "us-virginia",
    url: new URL(`${base_url}/models`),
    log,
    waitMs,
  });
  return trouble && englishOf(...trouble);
}

it("names the signer of a certificate that is not trusted, and explains how to trust it", async () => {
  expect(await troubleAt(await serve(authority.local))).toMatch(
    /127\.0\.0\.1 is not trusted: it is signed by an authority that this machine does not know.*NODE_EXTRA_CA_CERTS/,
  );
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
  });
  expect(await troubleAt(await serve({ key, cert }))).toMatch(
    /is not trusted: it is signed by the server itself.*NODE_EXTRA_CA_CERTS/,
  );
});

it("distinguishes certificates that are expired, not valid yet or for another name", async () => {
  tls.setDefaultCACertificates([...trusted, readFileSync(authority.caFile, "utf8")]);
  const at = async (names: string[], from: number, until: number) => {
    const valid = { from: new Date(Date.now() + from * day), until: new Date(Date.now() + until * day) };
    return troubleAt(await serve(await authority.issue(names, valid)), { host: "localhost" });
  };
  expect(await at(["localhost"], -1, 1)).toBeNull();
  expect(await at(["localhost"], -3, -2)).toMatch(/has expired\. Have it renewed, or check the clock/);
  expect(await at(["localhost"], 1, 2)).toMatch(/is not valid yet\. Check the clock.*which says 20\d\d-/);
  expect(await at(["proxy.example", "*.other.example"], -1, 1)).toMatch(
    /certificate at localhost is for proxy\.example, \*\.other\.example\. .*proxy may be in between/,
  );
});

it("reports how long it waited for a server that accepts the connection and never answers", async () => {
  const port = await listen(createServer());
  // A busy machine may not even connect in this time.
  await vi.waitFor(async () =>
    expect(await troubleAt(port, { waitMs: 300 })).toBe(
      "127.0.0.1 accepted the connection, but did not answer within 0.3 s.",
    ),
  );
});
