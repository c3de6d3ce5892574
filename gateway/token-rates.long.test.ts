import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import { beforeAll, expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { programScene } from "#gateway/testing/program-scene.ts";

const minutes = 300_000;
const processes = 3;
let program: ChildProcess;
let session: string;
const scene = shared(() => programScene({ GATEWAY_PROCESSES: String(processes) }));
beforeAll(async () => {
  program = await scene.start();
  ({ session } = await scene.signIn());
}, minutes);

async function keyWith(tokens_per_minute: number): Promise<string> {
  const limits = { name: "limited", tokens_per_minute, requests_per_minute: 100_000 };
  const { status, body } = await scene.call(session, "POST", "/keys", limits);
  expect(status).toBe(201);
  return String(body.secret);
}

interface Answer {
  status: number;
  /** The tokens of an answer, as its usage says. */
  tokens: number;
  text: string;
}

/** Sends a chat on a new connection, so that the processes take turns. */
async function chat(key: string, fields: object): Promise<Answer> {
  const body = {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "What is a gateway?" }],
    ...fields,
  };
  const request = http.request(`${scene.url}/chat/completions`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  const [response] = (await once(request.end(JSON.stringify(body)), "response")) as [http.IncomingMessage];
  const told = await text(response);
  const tokens = Number(/"total_tokens":(\d+)/.exec(told)?.[1] ?? 0);
  return { status: response.statusCode ?? 0, tokens, text: told };
}

it(
  `a key has its tokens once, though ${processes} processes admit its requests`,
  async () => {
    const perMinute = 1_000;
    const key = await keyWith(perMinute);
    const since = performance.now();
    const used: number[] = [];
    const client = async (_: unknown, at: number) => {
      while (performance.now() - since < 20_000) {
        const stream = at % 2 === 0 && { stream: true, stream_options: { include_usage: true } };
        // The fourth kind says no maximum, so the usual output of the model is reserved.
        const most = at % 4 === 3 ? {} : { max_tokens: 5 + at };
        const answer = await chat(key, { ...stream, ...most });
        if (answer.status === 200) used.push(answer.tokens);
        else {
          expect(answer.text).toContain("tokens, and");
          await after(100);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    const allowed = perMinute * (1 + (performance.now() - since) / 60_000);
    const sum = used.reduce((total, tokens) => total + tokens, 0);
    console.log(`${used.length} answers used ${sum} tokens of ${Math.round(allowed)}`);
    expect(Math.min(...used)).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(allowed * 1.05);
    expect(sum).toBeGreaterThanOrEqual(allowed * 0.95);
  },
  minutes,
);

it(
  "what killed processes had reserved comes back with time",
  async () => {
    const key = await keyWith(6_000);
    const long = {
      stream: true,
      messages: [{ role: "user", content: "What is a gateway for? ".repeat(100) }],
    };
    const cut = Array.from({ length: 2 }, () => chat(key, { ...long, max_tokens: 2_200 }).catch(() => null));
    await vi.waitFor(async () => expect((await chat(key, { max_tokens: 1_000 })).status).toBe(429));
    const children = execFileSync("pgrep", ["-P", String(program.pid)], { encoding: "utf8" });
    for (const pid of children.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
    await Promise.all(cut);
    const again = () => chat(key, { max_tokens: 1_000 }).catch(() => null);
    await vi.waitFor(async () => expect((await again())?.status).toBe(200), {
      timeout: 60_000,
      interval: 500,
    });
  },
  minutes,
);
