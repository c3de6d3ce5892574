import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import type { Random } from "./random.ts";

/** Faults of an upstream. `limited`: every key is at its limit. */
export const faults = ["none", "500", "503", "reset", "limited", "not JSON", "half a stream"] as const;
export type Fault = (typeof faults)[number];

/** Usage of every answer: with the prices of the world it costs 0.07. */
export const usage = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };
const words = ["One ", "two ", "three ", "four."];
const image = smallImage.split(",")[1];
/** Answers to prompts that contain this word never end. */
export const endless = "endless";

/** One call, as the upstream saw it. */
export interface UpstreamCall {
  /** `faulty` or `steady`. */
  name: string;
  prompt: string;
  /** Null while the call is open. */
  end: "answered" | "aborted" | null;
}

/**
 * Two upstreams of OpenAI's protocol on one port. `/faulty/v1` has whatever fault was set last. `/steady/v1`
 * never fails, but takes up to `slowMs` before its first byte.
 */
export class WorldUpstream {
  fault: Fault = "none";
  readonly calls: UpstreamCall[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #random: Random;
  readonly #slowMs: number;

  constructor(random: Random, slowMs: number) {
    this.#random = random;
    this.#slowMs = slowMs;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const [, name = "", ...place] = (request.url ?? "").split("/");
    if (text === "") {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    const call: UpstreamCall = { name, prompt: text, end: null };
    this.calls.push(call);
    response.on("close", () => {
      call.end ??= response.writableFinished ? "answered" : "aborted";
    });
    if (name === "faulty" && this.fault !== "none") return this.#fail(this.fault, body, response);
    await this.#pause(response, this.#random() * (name === "faulty" ? 50 : this.#slowMs));
    if (place.includes("images"))
      return sendJson(response, 200, { created: 1, data: [{ b64_json: image }], usage });
    if (body.stream === true) return this.#stream(text.includes(endless), response);
    if (text.includes(endless)) return;
    const message = { role: "assistant", content: words.join("") };
    sendJson(response, 200, {
      ...{ id: "chat", object: "chat.completion", created: 1, model: "m", usage },
      choices: [{ index: 0, finish_reason: "stop", message }],
    });
  }

  #fail(fault: Fault, body: Record<string, unknown>, response: ServerResponse): void {
    if (fault === "reset") response.socket?.resetAndDestroy();
    else if (fault === "limited")
      sendJson(response, 429, { error: { message: "Slow down" } }, { "retry-after": "1" });
    else if (fault === "500" || fault === "503")
      sendJson(response, Number(fault), { error: { message: "Not today" } });
    else if (fault === "half a stream" && body.stream === true)
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"id": "chat", "choi');
  }

  async #stream(isEndless: boolean, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (event: object) => response.write(`data: ${JSON.stringify({ id: "chat", ...event })}\n\n`);
    for (let at = 0; at < words.length || isEndless; at += 1) {
      if (response.closed) return;
      send({
        choices: [{ index: 0, finish_reason: null, delta: { content: words[at % words.length] } }],
      });
      await this.#pause(response, 20 + this.#random() * 30);
    }
    send({ choices: [{ index: 0, finish_reason: "stop", delta: {} }] });
    send({ choices: [], usage });
    response.end("data: [DONE]\n\n");
  }

  /** Waits, but not longer than the caller does. */
  async #pause(response: ServerResponse, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    response.once("close", resolve);
    await promise;
    clearTimeout(timer);
    response.off("close", resolve);
  }
}

function sendJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  if (response.closed) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
