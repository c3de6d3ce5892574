import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";

const imported = path.join(import.meta.dirname, "refuse-trace.mjs");
/** Fails on TRACE as Next does. */
const program = `
  import { createServer } from "node:http";
  const server = createServer((request, answer) => {
    new Request("http://console", { method: request.method });
    answer.end("page");
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

it("TRACE is refused before the console's own code; a page is answered as before", async () => {
  const words = ["--import", imported, "--input-type=module", "-e", program];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const refused = await ask(port, "TRACE");
  expect(refused).toMatchObject({ status: 405, allow: expect.stringContaining("GET") });
  expect(JSON.parse(refused.text).error.code).toBe("method_not_allowed");
  expect(refused.text).not.toContain("cookie");
  expect(await ask(port, "GET")).toMatchObject({ status: 200, text: "page" });
});

/** Not fetch, which knows no TRACE either. */
async function ask(port, method) {
  const asked = request({
    host: "127.0.0.1",
    port,
    method,
    path: "/sign-in",
    headers: { cookie: "session=1" },
  });
  asked.end();
  const [answer] = await once(asked, "response");
  return {
    status: answer.statusCode,
    allow: answer.headers.allow,
    text: Buffer.concat(await answer.toArray()).toString(),
  };
}
