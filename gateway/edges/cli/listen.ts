import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "#contract/ids.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import { idFloor, isEventId, SeenEvents } from "#gateway/events/webhooks/listen/seen-events.ts";
import { newSigningSecret } from "#gateway/events/webhooks/secrets.ts";
import { deliveryRequest, signingKey } from "#gateway/events/webhooks/sign.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { settingReader } from "#gateway/platform/core/setting-reader.ts";
import { printable, required, type StandaloneCommand, UsageError } from "./command.ts";
import { unreachable, whereOf, whereOptions } from "./where.ts";

const reconnect: RetrySchedule = { firstMs: 500, factor: 2, maxMs: 10_000 };

const signingSecret = /^whsec_\S{8,}$/;

interface Listening {
  gatewayUrl: string;
  key: string;
  forwardTo: string;
  events: string[] | null;
  timeoutMs: number;
  /** The receiver's signing secret; if missing, a new one is created and printed. */
  secret: string | null;
  print(line: string): void;
}

/** `gatehouse listen`: forwards the account's webhook events to a server on this machine, signed like the real ones. */
export const listen: StandaloneCommand = {
  usage: `listen --forward-to <url> [--key <account key>] [--gateway <url>] [--events <type,…>] [--secret <whsec_…>]

  --forward-to <url>  e.g. http://localhost:8080/hook; it needs no public address
  --key <key>         an account key with the scope webhooks (default: GATEHOUSE_API_KEY)
  --gateway <url>     ends in /v1 (default: this machine's gateway)
  --events <type,…>   forward only these, e.g. prediction.succeeded
  --secret <whsec_…>  what your server verifies with (default: WEBHOOK_SECRET, or a new one, which is printed)

Prints each event with your server's answer. Ctrl-C ends it.`,
  options: {
    "forward-to": { type: "string" },
    ...whereOptions,
    events: { type: "string" },
    secret: { type: "string" },
  },
  prepare(values) {
    const forwardTo = URL.parse(required(values, "forward-to"))?.href;
    if (!forwardTo || !/^https?:/.test(forwardTo))
      throw new UsageError("--forward-to must be an address like http://localhost:8080/hook");
    const secret = typeof values.secret === "string" ? values.secret : process.env.WEBHOOK_SECRET || null;
    if (secret !== null && !signingSecret.test(secret))
      throw new UsageError("--secret (or WEBHOOK_SECRET) must be a complete signing secret (whsec_…)");
    const events = eventsOf(values.events);
    // Release 0.2 called this variable GATEHOUSE_KEY.
    const { url: gatewayUrl, key } = whereOf({
      key: process.env.GATEHOUSE_API_KEY || process.env.GATEHOUSE_KEY,
      ...values,
    });
    if (!key)
      throw new UsageError("--key (or GATEHOUSE_API_KEY) must be a complete account key (svc_live_…)");
    const timeoutMs = settingReader(process.env).integer("WEBHOOK_TIMEOUT_MS");
    return (signal) =>
      listenUntil(signal, {
        gatewayUrl,
        key,
        forwardTo,
        events,
        timeoutMs,
        secret,
        print: console.log,
      });
  },
};

/** The event types to forward; null: all. Throws UsageError for an unknown type. */
function eventsOf(option: unknown): string[] | null {
  if (typeof option !== "string") return null;
  const types = option.split(",").map((one) => one.trim());
  const unknown = types.find((type) => !eventTypes.some((known) => known === type));
  if (unknown !== undefined)
    throw new UsageError(`--events: unknown event "${unknown}"; use ${eventTypes.join(", ")}`);
  return types;
}

interface ServerSentEvent {
  id: string | null;
  event: string;
  /** Null if the block has only an id. */
  data: string | null;
}

/**
 * Streams and forwards events until the signal aborts. After a lost connection, reconnects and continues
 * after the last event.
 */
export async function listenUntil(signal: AbortSignal, listening: Listening): Promise<void> {
  const { gatewayUrl, forwardTo } = listening;
  const print = (line: string) => listening.print(printable(line));
  const secret = listening.secret ?? newSigningSecret();
  print(`Gateway: ${gatewayUrl}`);
  print(`Forwarding to ${forwardTo}`);
  print(listening.secret ? "Signing with the given secret." : `Signing secret of this run: ${secret}`);
  let seen: SeenEvents | null = null;
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const body = await openStream(listening, seen?.newest ?? null, signal);
      print("Listening. Ctrl-C ends it.");
      failures = 1;
      for await (const { id, event, data } of readEvents(body)) {
        if (!isEventId(id)) continue;
        // The first block has no data, only the id at which the stream starts.
        seen ??= new SeenEvents(data === null ? id : idFloor(0));
        if (data === null || !seen.add(id)) continue;
        if (!listening.events || listening.events.includes(event))
          print(await forward(listening, secret, { id, event, data }));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RefusedError) throw error;
      print(`${(error as Error).message} Trying again.`);
    }
    await sleep(retryWaitMs(reconnect, failures), undefined, { signal }).catch(() => {});
  }
}

/** Yields the server-sent events of a body as they arrive, without comments. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) yield event;
    }
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const id = fields.get("id") ?? null;
  const data = fields.get("data") ?? null;
  if (id === null && data === null) return null;
  return { id, event: fields.get("event") ?? "message", data };
}

/** The gateway rejects the key, so a retry would not help. */
class RefusedError extends Error {}

async function openStream(
  { gatewayUrl, key }: Listening,
  lastId: string | null,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${gatewayUrl}/webhooks/listen`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId && { "last-event-id": lastId }) },
    signal,
  }).catch((error: unknown) => {
    throw unreachable(gatewayUrl, error);
  });
  if (response.ok && response.body) return response.body;
  const text = await response.text();
  const message = printable(
    /"message":\s*"([^"]*)"/.exec(text)?.[1] ?? `the gateway answered ${response.status}`,
  );
  if (response.status < 500 && response.status !== 429)
    throw new RefusedError(`${gatewayUrl} answered ${response.status}: ${message}`);
  throw new Error(message);
}

interface ReceivedEvent {
  id: string;
  event: string;
  data: string;
}

/** Forwards one event; returns the line to print. */
async function forward(
  { forwardTo, timeoutMs }: Listening,
  secret: string,
  { id, event, data }: ReceivedEvent,
): Promise<string> {
  const delivery = { id: newId("delivery"), eventId: id, url: forwardTo, attempts: 0 };
  const { headers, body } = deliveryRequest(delivery, data, { keys: [signingKey(secret)] });
  const startedAt = performance.now();
  const answer = await fetch(forwardTo, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return `${response.status} ${response.statusText}`.trim();
    },
    (error: Error) => `failed: ${(error.cause as Error | undefined)?.message ?? error.message}`,
  );
  return `${event}  ${id}  → ${answer} (${Math.round(performance.now() - startedAt)} ms)`;
}
