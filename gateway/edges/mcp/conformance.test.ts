import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../../..");
const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const gateway = shared(() => startTestGateway({ requestsPerMinute: 100_000, apiRequestsPerMinute: 100_000 }));
const folder = newFolder("mcp");

/** The suite sends no key, so this proxy adds one. */
async function withKey(key: string) {
  const { hostname, port } = new URL(gateway.url);
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

it("passes the protocol's published suite, except for the listed tests", { timeout: 120_000 }, async () => {
  const { key } = await gateway.createAccount();
  const { server, url } = await withKey(key);
  const words = ["server", "--url", url, "--requirements", "2026-07-28", "--output-dir", folder];
  const expected = path.join(import.meta.dirname, "expected-failures.yaml");
  const outcome = await run(process.execPath, [suite, ...words, "--expected-failures", expected], {
    cwd: folder,
    maxBuffer: 16_000_000,
  }).catch((error: { stdout: string; stderr: string }) => ({ failed: error.stdout + error.stderr }));
  server.closeAllConnections();
  server.close();
  expect("failed" in outcome ? outcome.failed : "").toBe("");
});
