import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";

const imported = path.join(import.meta.dirname, "before-next.mjs");
/** Fails on TRACE and on `*` as Next does, and redirects to the host of its request. */
const program = `
  import { createServer } from "node:http";
  const server = createServer((request, answer) => {
    const asked = new Request(new URL(request.url, "http://console/"), { method: request.method });
    if (request.url === "*") throw new Error("no path");
    if (asked.url.endsWith("/moved")) answer.writeHead(307, { location: new URL("/sign-in", asked.url).href });
    answer.end("page");
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

it("requests that Next cannot handle are answered before Next; pages are answered as before", async () => {
  const port = await startProgram();
  const refused = await ask(port, "TRACE");
  expect(refused).toMatchObject({ status: 405, allow: expect.stringContaining("GET") });
  expect(JSON.parse(refused.text).error.code).toBe("method_not_allowed");
  expect(refused.text).not.toContain("cookie");
  expect(await ask(port, "GET")).toMatchObject({ status: 200, text: "page" });
  expect(await ask(port, "OPTIONS", "*")).toMatchObject({
    status: 204,
    allow: expect.stringContaining("GET"),
  });
  expect(await ask(port, "GET", "*")).toMatchObject({ status: 400 });
  for (const path of ["http://elsewhere.example/moved", "HTTPS://elsewhere.example:8443//moved"])
    expect(await ask(port, "GET", path)).toMatchObject({ status: 307, location: "http://console/sign-in" });
  expect(await ask(port, "GET", "http://elsewhere.example")).toMatchObject({ status: 200 });
});

it("visitors from outside CONSOLE_ALLOW_CIDRS see only what people without an account see", async () => {
  const port = await startProgram({ CONSOLE_ALLOW_CIDRS: "203.0.113.0/24", TRUST_PROXY: "loopback" });
  const from = (address, path) => ask(port, "GET", path, { "x-forwarded-for": address });
  for (const path of ["/sign-in", "/", "/api/gateway/account", "/public/../keys", "/public/%2e%2e/keys"]) {
    const { status, text } = await from("198.51.100.1", path);
    expect([path, status, JSON.parse(text).error.code]).toEqual([path, 403, "network_not_allowed"]);
    expect(text).toContain("198.51.100.1");
    expect((await from("203.0.113.7", path)).status).toBe(200);
  }
  const headers = { "x-forwarded-for": "198.51.100.1", accept: "text/html,*/*" };
  expect((await ask(port, "GET", "/", headers)).text).toMatch(/<p>This console .*198\.51\.100\.1/);
  for (const path of ["/public/shared/x", "/_next/static/a.js", "/favicon.ico"])
    expect((await from("198.51.100.1", path)).status).toBe(200);
});

/** Starts the program in a process that is started like the console, and returns its port. */
async function startProgram(environment = {}) {
  const words = ["--import", imported, "--input-type=module", "-e", program];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  return port;
}

/** Without fetch, which does not support TRACE either. */
async function ask(port, method, path = "/sign-in", headers = {}) {
  const asked = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    headers: { cookie: "session=1", ...headers },
  });
  asked.end();
  const [answer] = await once(asked, "response");
  return {
    status: answer.statusCode,
    allow: answer.headers.allow,
    location: answer.headers.location,
    text: Buffer.concat(await answer.toArray()).toString(),
  };
}
