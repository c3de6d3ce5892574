import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import type { Agent, Dispatcher } from "undici";
import { exchange } from "#gateway/platform/network/exchange.ts";

/** What the SDK hands to its handler, as far as it is sent. */
interface SdkRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** S3's answers to writing, reading a head and deleting are short; the server's owner decides what it sends. */
const maxAnswerBytes = 65_536;
/** Without progress of a body, or without an answer. */
const idleMs = 60_000;

type Handler = Extract<NonNullable<S3ClientConfig["requestHandler"]>, { handle: unknown }>;

/** Sends the requests of an S3 client through the address guard, in which redirects are never followed. */
export function guardedHandler(agent: Agent): Handler {
  const handler = {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { method, protocol, hostname, port, headers, body } = request;
      const sent = exchange(
        agent,
        {
          origin: `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`,
          path: pathOf(request),
          method: method as Dispatcher.HttpMethod,
          headers: withoutExpect(headers),
          body: (body ?? null) as Dispatcher.DispatchOptions["body"],
          headersTimeout: idleMs,
          bodyTimeout: idleMs,
        } as Dispatcher.DispatchOptions,
        { maxBytes: maxAnswerBytes, ...(abortSignal && { signal: abortSignal }) },
      );
      const answer = await sent.answer;
      return {
        response: {
          statusCode: answer.status,
          headers: singleValues(answer.headers),
          body: Readable.from([Buffer.concat(sent.chunks)]),
        },
      };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
  return handler as unknown as Handler;
}

function pathOf({ path, query = {} }: SdkRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().map((one) => `${encoded(name)}=${encoded(one)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Undici sends no `Expect: 100-continue`, which the SDK adds to bodies and never signs. */
function withoutExpect(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "expect"));
}

function singleValues(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
}
