import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { WebSocket } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
/** The largest part of the total time that many messages may take in one turn of the event loop. */
const maxPart = 1 / 4;
type Event = {
  type: string;
  response?: { id: string; previous_response_id: string | null; output: unknown[] };
} & Record<string, unknown>;

describe("responses over a WebSocket, with the unmodified client", () => {
  /** An account that sends until its rate is used up. */
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const busy = shared(() => gateway.createAccount());

  /** A connection that resolves each request with its last event. */
  function open(key = account.key) {
    const socket = new ResponsesWS(new OpenAI({ baseURL: gateway.url, apiKey: key }));
    socket.on("error", () => {}); // errors come as messages too
    const asking: ((event: Event) => void)[] = [];
    socket.on("event", (event) => {
      const { type } = event as unknown as Event;
      if (["response.completed", "response.incomplete", "response.failed", "error"].includes(type))
        asking.shift()?.(event as unknown as Event);
    });
    const ask = (body: Record<string, unknown>): Promise<Event> => {
      socket.send({ type: "response.create", model, ...body } as Parameters<typeof socket.send>[0]);
      return new Promise((resolve) => asking.push(resolve));
    };
    return { socket, ask };
  }
  const words = (event: Event) => JSON.stringify(event.response?.output);

  it("answers one request after the other, and continues a stored response", async () => {
    const { socket, ask } = open();
    const [first, second] = await Promise.all([ask({ input: "Say cobalt" }), ask({ input: "Say copper" })]);
    expect([first.type, second.type]).toEqual(["response.completed", "response.completed"]);
    const next = await ask({ previous_response_id: first.response?.id, input: "And now?" });
    expect(words(next)).toContain("3 messages");
    socket.close();
  });

  it("continues a response that is not stored while it is open, until a continuation of it fails", async () => {
    const { socket, ask } = open();
    const first = await ask({ store: false, input: "Remember cobalt" });
    const id = first.response?.id;
    const next = await ask({ store: false, previous_response_id: id, input: "What was it?" });
    expect(words(next)).toContain("3 messages");
    expect(next.response?.previous_response_id).toBe(id);
    expect(
      await ask({ store: false, previous_response_id: id, input: "More", temperature: 9 }),
    ).toMatchObject({
      type: "error",
      status: 400,
    });
    const missing = { status: 404, error: { code: "previous_response_not_found" } };
    expect(await ask({ store: false, previous_response_id: id, input: "More" })).toMatchObject(missing);
    socket.close();
    const { socket: other, ask: askAgain } = open();
    const again = await askAgain({ store: false, previous_response_id: next.response?.id, input: "More" });
    expect(again).toMatchObject(missing);
    other.close();
  });

  it.each([
    ["stops", async (other: TestGateway) => other.close()],
    [
      "is drained",
      async (other: TestGateway) => {
        onTestFinished(() => other.close());
        other.context.drain.pause(true);
      },
    ],
  ])("finishes its running request before it closes when the process %s", async (_, end) => {
    // Longer than the chat takes on a busy machine.
    const other = await startTestGateway({ drainMs: 25_000 });
    const { key } = await other.createAccount();
    const socket = new ResponsesWS(new OpenAI({ baseURL: other.url, apiKey: key }), { reconnect: null });
    socket.on("error", () => {});
    const ended = new Promise((resolve) => socket.on("response.completed", resolve));
    const begun = new Promise((resolve) => socket.on("response.created", resolve));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.send({ type: "response.create", model, input: "Say cobalt" });
    await begun;
    await Promise.all([end(other), ended, closed]);
  });

  it("refuses an invalid message, and a caller without a key", async () => {
    const { socket, ask } = open();
    expect(await ask({ type: "something.else" })).toMatchObject({ type: "error", error: { param: "type" } });
    socket.close();
    const plain = await fetch(`${gateway.url}/responses`, {
      headers: { authorization: `Bearer ${account.key}` },
    });
    expect(plain.status).toBe(426);
    const stranger = new ResponsesWS(new OpenAI({ baseURL: gateway.url, apiKey: "none" }));
    const error = await new Promise<Error>((resolve) => stranger.on("error", resolve));
    expect(String(error.message)).toContain("401");
  });

  it("leaves other upgrades alone: a request that offers h2c is answered", async () => {
    const { port, hostname } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v1/regions HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });

  /** A connection that sends raw texts; `next` returns the next message. */
  async function openPlain(key = account.key) {
    const socket = new WebSocket(gateway.url.replace("http", "ws").concat("/responses"), {
      headers: { authorization: `Bearer ${key}` },
    });
    onTestFinished(() => socket.close());
    const come: Event[] = [];
    const waiting: ((event: Event) => void)[] = [];
    socket.addEventListener("message", ({ data }) => {
      const event = JSON.parse(String(data)) as Event;
      const first = waiting.shift();
      if (first) first(event);
      else come.push(event);
    });
    await once(socket, "open");
    const next = (): Promise<Event> =>
      come.length > 0
        ? Promise.resolve(come.shift() as Event)
        : new Promise((resolve) => waiting.push(resolve));
    /** The next refusal; skips events of a response in progress. */
    const refusal = async (): Promise<Event> => {
      for (;;) {
        const event = await next();
        if (event.type === "error") return event;
      }
    };
    return { send: (text: string) => socket.send(text), next, refusal };
  }
  const message = (fields: string) => `{"type":"response.create","model":"${model}",${fields}}`;
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const many = (count: number, each: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => each(at)).join();

  it.each([
    ["not JSON", '{"type":"response.create",'],
    ["many values", message(`"input":[${many(300_000, () => "{}")}]`)],
    ["many names", message(`"metadata":{${many(300_000, (at) => `"n${at}":""`)}}`)],
    ["many levels", message(`"input":${nested(5_000)}`)],
    ["levels as many as there may be bytes", message(`"input":${nested(1_900_000)}`)],
    ["U+0000", message('"input":"a\\u0000b"')],
    ["half of a surrogate pair", message('"input":"a\\ud800b"')],
    ["a prototype", message('"metadata":{"__proto__":"a"}')],
  ])(
    "refuses a message with the same error as POST /responses refuses the same body: %s",
    async (_name, text) => {
      const { send, next } = await openPlain();
      send(text);
      const posted = await fetch(`${gateway.url}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: text,
      });
      const { error } = (await posted.json()) as { error: Record<string, unknown> };
      const { request_id: _, ...same } = error;
      expect(await next()).toMatchObject({ type: "error", status: posted.status, error: same });
      expect(posted.status).toBeLessThan(500);
    },
  );

  it("counts refused messages in the key's rate", async () => {
    const key = await gateway.createKey(account.accountId, { requests_per_minute: 2 });
    const { send, next } = await openPlain(key);
    for (const code of ["invalid_parameter", "invalid_json", "rate_limit_exceeded"]) {
      send(code === "invalid_json" ? "{" : '{"type":"something.else"}');
      expect(await next()).toMatchObject({ type: "error", error: { code } });
    }
  });

  it("queues messages up to a byte limit per connection and per key, and counts the refused ones", async () => {
    const key = await gateway.createKey(account.accountId, { requests_per_minute: 8 });
    const large = message(`"input":"${"a".repeat(3_900_000)}"`);
    // The answer quotes this, so it still runs when all large messages have arrived.
    const long = message(`"input":"${"a ".repeat(300)}"`);
    const connections = await Promise.all(Array.from({ length: 5 }, () => openPlain(key)));
    for (const { send, next } of connections) {
      send(long);
      expect((await next()).type).toBe("response.created");
      for (let waiting = 0; waiting < 2; waiting += 1) send(large);
    }
    const [first, , , , last] = connections;
    first?.send(large);
    expect(await first?.refusal()).toMatchObject({
      status: 429,
      error: { code: "concurrency_limit_exceeded", message: expect.stringContaining("on this connection") },
    });
    expect(await last?.refusal()).toMatchObject({
      status: 429,
      error: {
        code: "concurrency_limit_exceeded",
        message: expect.stringContaining("on this key's connections"),
      },
    });
    // Five messages run; three were refused for their size. The rate allows another one after 7.5 s.
    const next = () => {
      first?.send(large);
      return first?.refusal();
    };
    await expect.poll(next).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  });

  /** A connection for raw frames. */
  async function openRaw(key = busy.key): Promise<Socket> {
    const { port, hostname } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const headers = {
      Host: hostname,
      Authorization: `Bearer ${key}`,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /v1/responses HTTP/1.1\r\n${lines.join("")}\r\n`);
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 101/);
    return socket;
  }

  /** A message that is not JSON, in two parts: its frame header and its bytes. */
  const payload = Buffer.alloc(3_900_000);
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  head.writeUInt32BE(payload.length, 6);

  it("closes one connection of a key if the key's unfinished messages are too large in total, and serves the others", async () => {
    const key = await gateway.createKey(account.accountId);
    const sockets = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const socket = await openRaw(key);
        const received = { text: "", isClosed: false };
        socket.on("data", (data) => {
          received.text += data.toString("latin1");
        });
        socket.on("error", () => {});
        socket.on("close", () => {
          received.isClosed = true;
        });
        socket.write(head);
        socket.write(payload.subarray(1));
        return { socket, received };
      }),
    );
    const closed = () => sockets.filter(({ received }) => received.isClosed);
    await expect.poll(() => closed().length).toBe(1);
    expect(closed()[0]?.received.text).toContain("The unfinished messages on this key's connections");
    // 1013, try again later.
    expect(closed()[0]?.received.text).toContain("\x88\x02\x03\xf5");
    const others = sockets.filter(({ received }) => !received.isClosed);
    for (const { socket } of others) socket.write(payload.subarray(0, 1));
    for (const { received } of others) await expect.poll(() => received.text).toContain("invalid_json");
    expect(closed()).toHaveLength(1);
  });

  it("lets other work run between large messages that are completed together", async () => {
    const accepted: Socket[] = [];
    const onAccepted = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
    subscribe("net.server.socket", onAccepted);
    // One key may not have this many bytes in progress, so several keys send them.
    const keys = [busy.key, await gateway.createKey(busy.accountId)];
    const sockets = await Promise.all(Array.from({ length: 12 }, (_, at) => openRaw(keys[at % 2])));
    unsubscribe("net.server.socket", onAccepted);
    const arrived = () => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const longest = () =>
      longestPart(
        async () => {
          const before = arrived();
          for (const socket of sockets) {
            socket.write(head);
            socket.write(payload.subarray(1));
          }
          await expect.poll(arrived).toBe(before + sockets.length * (head.length + payload.length - 1));
        },
        () =>
          Promise.all(
            sockets.map((socket) => {
              socket.write(payload.subarray(0, 1));
              return once(socket, "data");
            }),
          ),
      );
    await expect.poll(longest).toBeLessThan(maxPart);
  });

  it("lets other work run between small messages that arrive together", async () => {
    const socket = await openRaw();
    const messages = 5_000;
    let answered = 0;
    socket.on("data", (data) => {
      answered += data.toString("latin1").split('"type":"error"').length - 1;
    });
    const longest = () =>
      longestPart(
        async () => {
          answered = 0;
        },
        async () => {
          socket.write(Buffer.alloc(6 * messages, Buffer.from([0x81, 0x80, 1, 2, 3, 4])));
          await expect.poll(() => answered, { interval: 5 }).toBeGreaterThan(0.99 * messages);
        },
      );
    await expect.poll(longest).toBeLessThan(maxPart);
  });

  it("answers a message whose tools are as large as a message may be", async () => {
    const { send, next } = await openPlain();
    send(
      message(
        `"input":"Say cobalt","tools":[{"type":"function","name":"a","description":"${"a".repeat(3_900_000)}"}]`,
      ),
    );
    const types: string[] = [];
    for (let event = await next(); types.push(event.type) && event.type !== "error"; event = await next())
      if (event.type === "response.completed") break;
    expect(types.at(0)).toBe("response.created");
    expect(types.at(-1)).toBe("response.completed");
  });
});

/**
 * The share of the work's time that its longest event-loop turn takes. Measured again if it is too large: a
 * real cost shows up each time, noise of the machine does not.
 */
async function longestPart(prepare: () => Promise<void>, work: () => Promise<unknown>): Promise<number> {
  await prepare();
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const first = spentMs();
  let last = first;
  let longestMs = 0;
  let isOver = false;
  const turn = () => {
    const now = spentMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longestMs / (last - first);
}
