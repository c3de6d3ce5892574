import type { Logger } from "pino";
import { Agent } from "undici";
import { signatureHeaders, signingKey } from "#gateway/events/webhooks/sign.ts";
import type { AuditReceiver } from "#gateway/platform/core/audit-stream-config.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import type { StreamFile } from "#gateway/platform/database/tables/audit-stream.ts";
import { errorCodeOf } from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";
import { ecsVersion } from "./ecs.ts";

/** A batch that was begun is sent with the same id and lines until it has arrived. */
export interface Batch {
  id: string;
  /** Events of the Elastic Common Schema, each a line of JSON. */
  lines: string;
}

/** What an attempt may use. */
export interface Sending {
  log: Logger;
  /** The file of the last batch. */
  file: StreamFile | null;
  /** Saves where the batch begins. */
  recordFile(file: StreamFile): Promise<void>;
  /** Throws if another process may be sending, too. */
  assertAlone(): Promise<void>;
}

/** A place where the audit log goes to. */
export interface Sink {
  /** Resolves when the batch has arrived. The message of an error is shown to operators. */
  send(batch: Batch, sending: Sending): Promise<StreamFile | null>;
  close(): Promise<void>;
}

/** The receiver asked for a longer wait. */
export class RefusedError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Posts each batch as one JSON document, signed as webhooks are. */
export function webhookSink(to: AuditReceiver<"webhook"> & { secret: string }): Sink {
  const keys = [signingKey(to.secret)];
  const poster = openPoster(to);
  return {
    async send({ id, lines }) {
      const events = lines.trimEnd().replaceAll("\n", ",");
      const body = `{"id":${JSON.stringify(id)},"type":"audit.batch","data":[${events}]}`;
      const timestamp = Math.floor(clock.now() / 1000);
      await poster.post(body, signatureHeaders({ eventId: id, timestamp, body, keys }));
      return null;
    },
    close: poster.close,
  };
}

/** Sends each line as the body of a log record, in OTLP's JSON encoding. */
export function otlpSink(to: AuditReceiver<"otlp">): Sink {
  const poster = openPoster(to);
  return {
    async send(batch, { log }) {
      const answer = await poster.post(otlpBody(batch));
      const refused = refusedRecords(answer);
      if (refused)
        log.error({ ...refused, batch: batch.id }, "the audit stream's receiver did not accept all records");
      return null;
    },
    close: poster.close,
  };
}

/** The JSON encoding of `ExportLogsServiceRequest`: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. */
function otlpBody({ id, lines }: Batch): string {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const logRecords = lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const event = JSON.parse(line);
      const nanoseconds = `${Date.parse(event["@timestamp"])}000000`;
      return {
        timeUnixNano: nanoseconds,
        observedTimeUnixNano: nanoseconds,
        severityNumber: 9,
        severityText: "INFO",
        eventName: event.event.action,
        body: { stringValue: line },
        attributes: [
          text("event.id", event.event.id),
          { key: "event.sequence", value: { intValue: String(event.event.sequence) } },
          text("event.action", event.event.action),
          text("organization.id", event.organization.id),
        ],
      };
    });
  const scope = {
    name: "gatehouse.audit",
    attributes: [text("gatehouse.batch.id", id), text("ecs.version", ecsVersion)],
  };
  const resource = { attributes: [text("service.name", "gatehouse")] };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
}

/** OTLP forbids to send records again that the receiver took and refused; null if it refused none. */
function refusedRecords(answer: string): { refused: number; reason: string } | null {
  try {
    const { partialSuccess } = JSON.parse(answer);
    const refused = Number(partialSuccess?.rejectedLogRecords ?? 0);
    return refused > 0 ? { refused, reason: String(partialSuccess.errorMessage ?? "").slice(0, 200) } : null;
  } catch {
    return null;
  }
}

const maxAnswerBytes = 64_000;
const shownCharacters = 200;

/**
 * Posts to the operator's receiver. It follows no redirects and knows no address guard, because the address is a setting, as that of a
 * collector or a bucket.
 */
function openPoster({ url, headers, timeoutMs }: AuditReceiver<string>) {
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({ connect: { timeout: timeoutMs }, allowH2: false });
  return {
    /** Returns the answer. */
    async post(body: string, own: Record<string, string> = {}): Promise<string> {
      assertMayLeave();
      const sent = exchange(
        agent,
        {
          origin,
          path: `${pathname}${search}`,
          method: "POST",
          headers: {
            ...headers,
            ...own,
            "content-type": "application/json",
            "user-agent": "Gatehouse-Audit/1",
          },
          body,
        },
        { maxBytes: maxAnswerBytes, totalMs: timeoutMs },
      );
      const { status, headers: answered } = await sent.answer.catch((error: unknown) => {
        throw new Error(`no answer (${errorCodeOf(error) ?? "the connection failed"})`);
      });
      const text = Buffer.concat(sent.chunks).toString("utf8");
      if (status >= 200 && status < 300) return text;
      // Control characters would make one text look like another.
      const said = text.slice(0, shownCharacters).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ");
      throw new RefusedError(
        `answered ${status}${said && `: ${said}`}`,
        readRetryAfter(answered["retry-after"]) ?? 0,
      );
    },
    close: () => agent.close(),
  };
}
