import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

/** Without draining, five of six answers were lost. */
const times = 10;

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/**
 * Each client runs in its own process, so that it sends while the gateway answers; it prints one line per
 * answer.
 */
const clients: Record<string, { command: string; args: string[] }> = {
  "Node's fetch": {
    command: process.execPath,
    args: [
      "--input-type=module",
      "--eval",
      `const { URL: url, KEY, BYTES, TIMES } = process.env;
       const body = JSON.stringify({ model: "svc/chat-1", messages: [{ role: "user", content: "a".repeat(BYTES) }] });
       const headers = { authorization: "Bearer " + KEY, "content-type": "application/json" };
       for (let count = 0; count < TIMES; count += 1) {
         try {
           const response = await fetch(url + "/chat/completions", { method: "POST", headers, body });
           console.log(response.status, (await response.json()).error.code);
         } catch (error) {
           console.log(error.cause?.code ?? error);
         }
       }`,
    ],
  },
  "the openai client without retries": {
    command: process.execPath,
    args: [
      "--input-type=module",
      "--eval",
      `import OpenAI from "openai";
       const { URL: baseURL, KEY: apiKey, BYTES, TIMES } = process.env;
       const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
       const messages = [{ role: "user", content: "a".repeat(BYTES) }];
       for (let count = 0; count < TIMES; count += 1) {
         const error = await client.chat.completions.create({ model: "svc/chat-1", messages }).catch((error) => error);
         console.log(error.status ?? error, error.code);
       }`,
    ],
  },
  "Python's urllib": {
    command: "python3",
    args: [
      "-c",
      `
import json, os, urllib.request, urllib.error
env = os.environ
body = json.dumps({"model": "svc/chat-1", "messages": [{"role": "user", "content": "a" * int(env["BYTES"])}]}).encode()
headers = {"Authorization": "Bearer " + env["KEY"], "Content-Type": "application/json"}
for _ in range(int(env["TIMES"])):
    try:
        urllib.request.urlopen(urllib.request.Request(env["URL"] + "/chat/completions", body, headers))
    except urllib.error.HTTPError as error:
        print(error.code, json.load(error)["error"]["code"])
    except Exception as error:
        print(repr(error))
`,
    ],
  },
};

const answersOf = async (client: string, bytes: number, key: string) => {
  const { command, args } = clients[client] ?? { command: "", args: [] };
  const env = { ...process.env, URL: gateway.url, KEY: key, BYTES: String(bytes), TIMES: String(times) };
  const { stdout } = await promisify(execFile)(command, args, { env });
  return stdout.trim().split("\n");
};
const always = (answer: string) => Array.from({ length: times }, () => answer);

describe.each(Object.keys(clients))("%s receives the reason why its body was rejected", (client) => {
  it.each([5_000_000, 30_000_000])("when a chat has %d bytes", async (bytes) => {
    expect(await answersOf(client, bytes, account.key)).toEqual(always("413 request_too_large"));
  });

  it("when the key is not valid", async () => {
    expect(await answersOf(client, 5_000_000, "junk")).toEqual(always("401 invalid_api_key"));
  });
});

it("disconnects a client that keeps sending after its answer", async () => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n",
  );
  const part = Buffer.alloc(1_000_000, "a");
  let sent = 0;
  for (; sent < 1_000 && !socket.destroyed; sent += 1)
    await new Promise((written) => socket.write(part, written));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(200);
});
