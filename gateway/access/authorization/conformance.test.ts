import { spawn } from "node:child_process";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { consentTo, register, rootOf } from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const root = path.join(import.meta.dirname, "../../..");
const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const folder = newFolder("authorization");

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Consents to the request in the URL that the suite prints, and follows the person's redirect. */
async function consentAt(address: string): Promise<void> {
  const asked = Object.fromEntries(new URL(address).searchParams);
  const agent = { clientId: "", redirectUri: "", verifier: "", asked };
  const { body } = await consentTo(gateway, account.session, agent);
  // The suite prints the URL a moment before its server for the redirect listens.
  await vi.waitFor(() => fetch(String(body.redirect_url)));
}

// No scenario is expected to fail: the suite covers metadata, client documents and the code grant for such a
// server.
it("passes the protocol's published suite for authorization servers", {
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  const { body } = await register(gateway, { redirect_uris: ["http://127.0.0.1/callback"] });
  const words = ["--url", rootOf(gateway), "--client-id", String(body.client_id)];
  const resource = ["--resource", `${rootOf(gateway)}/mcp`, "--port", String(port), "--output-dir", folder];
  const child = spawn(process.execPath, [suite, "authorization", ...words, ...resource], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  child.stderr.on("data", (chunk) => void lines.push(String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes("/authorize?")) await consentAt(line.trim());
  }
  const printed = lines.join("\n");
  expect(child.exitCode ?? 0, printed).toBe(0);
  expect(printed).not.toMatch(/FAILURE|SKIPPED|✗/);
  expect(printed).toMatch(/authorization-code-grant/);
});
