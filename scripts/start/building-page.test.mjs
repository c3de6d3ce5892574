import { createServer } from "node:http";
import { expect, it } from "vitest";
import { showBuildingPage } from "./building-page.mjs";

const host = "127.0.0.1";

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, host, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("reports on the console's address that it is being built, and frees the address at once", async () => {
  const port = await freePort();
  const end = await showBuildingPage(port, host);
  const answer = await fetch(`http://${host}:${port}/predictions`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("is being built");
  await end();
  const console = createServer();
  await new Promise((resolve, reject) => console.on("error", reject).listen(port, host, resolve));
  console.close();
});

it("leaves an address in use to the console", async () => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, host, resolve));
  const end = await showBuildingPage(other.address().port, host);
  await end();
  expect(other.listening).toBe(true);
  other.close();
});
