import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call } from "#gateway/testing/gateway.ts";
import { keyIn, providerAt, testKeys, writeProvidersFile } from "./testing/mapped-gateway.ts";
import { startOpenAiServer } from "./testing/openai-server.ts";

const owner = { email: "owner@example.com", password: "correct-horse-battery" };
const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2 };
const image = {
  model: "svc/img-gen-b",
  prompt: "a boat",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};
const runMs = 120_000;

/** The real program, killed without warning and started again on the same data. */
describe("kill -9 while an upstream works", () => {
  const running = new Set<ChildProcess>();
  let environment: Record<string, string>;
  let gateway: { url: string };
  const upstream = shared(startOpenAiServer);
  beforeAll(async () => {
    const port = await freePort();
    gateway = { url: `http://127.0.0.1:${port}/v1` };
    environment = {
      ...testKeys,
      GATEHOUSE_DATA_DIR: newFolder("restart"),
      GATEWAY_PORT: String(port),
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
      PROVIDERS_FILE: writeProvidersFile({
        providers: {
          main: providerAt(upstream, { credentials: keyIn("us-virginia", "sg-singapore") }),
        },
        routes: [
          { models: ["svc/img-gen-b"], provider: "main", upstream_model: "pictures" },
          { models: ["svc/vid-t2v"], provider: "main", upstream_model: "films" },
        ],
      }),
    };
  }, runMs);
  afterEach(() => {
    upstream.seen.length = 0;
  });
  afterAll(async () => {
    for (const program of running) program.kill("SIGKILL");
  });

  async function start(): Promise<ChildProcess> {
    const base = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" as const };
    const program = spawn(process.execPath, ["gateway/main.ts"], {
      env: { ...base, ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    running.add(program);
    for await (const line of createInterface({ input: program.stdout }))
      if (line.startsWith("Gateway ready")) break;
    program.stdout.resume();
    return program;
  }

  async function stop(program: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const exit = once(program, "exit");
    program.kill(signal);
    await exit;
    running.delete(program);
  }

  const signIn = async () =>
    String((await call(gateway, null, "POST", "/account/sessions", owner)).body.token);

  async function ended(session: string, id: string): Promise<Record<string, unknown>> {
    const events = await fetch(`${gateway.url}/predictions/${id}/events`, {
      headers: { authorization: `Bearer ${session}` },
    });
    await events.text();
    return (await call(gateway, session, "GET", `/predictions/${id}`)).body;
  }

  it(
    "a video that the upstream accepted is found again, and created once",
    async () => {
      upstream.videoPolls = 1;
      const first = await start();
      const session = await signIn();
      const { body } = await call(gateway, session, "POST", "/videos", video);
      await upstream.next(/videos\/video_/);
      await stop(first, "SIGKILL");
      const second = await start();
      expect(await ended(session, String(body.id))).toMatchObject({ status: "succeeded" });
      expect(upstream.created()).toHaveLength(1);
      await stop(second, "SIGTERM");
    },
    runMs,
  );

  it.each([
    ["a create that was under way", "/videos", video, /videos$/],
    ["an image that the upstream was making", "/images/generations", image, /images/],
  ] as const)(
    "%s is not sent again, and ends with an unknown outcome",
    async (_, route, request, place) => {
      const first = await start();
      const session = await signIn();
      upstream.trouble(place, "silence");
      const { body } = await call(gateway, session, "POST", route, request);
      await upstream.next(place);
      await stop(first, "SIGKILL");
      const second = await start();
      expect(await ended(session, String(body.id))).toMatchObject({
        status: "failed",
        error: { code: "upstream_outcome_unknown" },
      });
      expect(upstream.created()).toHaveLength(1);
      await stop(second, "SIGTERM");
    },
    runMs,
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
