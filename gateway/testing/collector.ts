import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readOtlp } from "./otlp-protobuf.ts";

export type AttributeValue = string | number | boolean | string[] | undefined;

export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, AttributeValue>;
  events: string[];
  links: string[];
  /** The error code of a failed span. */
  failure: string | undefined;
  startMs: number;
  endMs: number;
}

/** A point of a histogram. */
export interface Measured {
  count: string | number;
  sum: number;
  bucketCounts: (string | number)[];
  explicitBounds: number[];
}

/** A receiver of OTLP over HTTP, as JSON or protobuf. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  logs: { body: string; traceId: string | undefined }[];
  metrics: Map<string, Measured[]>;
  /** Answers the next request to this path with this status, without reading it. */
  refuseNext(path: string, status: number): void;
  /** Everything received, as text. */
  text(): string;
  /** Resolves with the result of `find` once it is not empty. */
  until<Found>(find: (collector: Collector) => Found | undefined | false): Promise<Found>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const waiting = new Set<() => void>();
  let refusal: { path: string; status: number } | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (refusal && refusal.path === request.url) {
      response.writeHead(refusal.status).end();
      refusal = null;
      return;
    }
    const body = Buffer.concat(chunks);
    bodies.push(body.toString("utf8"));
    const type = request.headers["content-type"] ?? "";
    const isJson = type.includes("json");
    read(isJson ? JSON.parse(body.toString("utf8")) : readOtlp(request.url ?? "", body));
    response.writeHead(200, { "content-type": type }).end(isJson ? "{}" : undefined);
    for (const look of waiting) look();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    logs: [],
    metrics: new Map(),
    refuseNext(path, status) {
      refusal = { path, status };
    },
    text: () => bodies.join("\n"),
    until(find) {
      const { promise, resolve } =
        Promise.withResolvers<Exclude<ReturnType<typeof find>, undefined | false>>();
      const look = () => {
        const found = find(collector);
        if (found === undefined || found === false) return;
        waiting.delete(look);
        resolve(found as Exclude<ReturnType<typeof find>, undefined | false>);
      };
      waiting.add(look);
      look();
      return promise;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return collector;

  // biome-ignore lint/suspicious/noExplicitAny: OTLP's own nesting, read once here
  function read({ resourceSpans = [], resourceLogs = [], resourceMetrics = [] }: Record<string, any>): void {
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans) for (const span of spans) collector.spans.push(spanOf(span));
    for (const { scopeLogs } of resourceLogs)
      for (const { logRecords } of scopeLogs)
        for (const { body, traceId } of logRecords)
          collector.logs.push({ body: body?.stringValue, traceId: traceId || undefined });
    for (const { scopeMetrics } of resourceMetrics)
      for (const { metrics } of scopeMetrics)
        for (const { name, histogram } of metrics) collector.metrics.set(name, histogram?.dataPoints ?? []);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function spanOf(span: Record<string, any>): CollectedSpan {
  return {
    name: span.name,
    kind: span.kind,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
    attributes: Object.fromEntries(
      span.attributes.map(({ key, value }: { key: string; value: Record<string, never> }) => [
        key,
        readValue(value),
      ]),
    ),
    events: span.events.map(({ name }: { name: string }) => name),
    links: span.links.map(({ spanId }: { spanId: string }) => spanId),
    failure: span.status?.code === 2 ? span.status.message : undefined,
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  };
}

function readValue(value: Record<string, never>): AttributeValue {
  const { arrayValue, intValue, ...rest } = value as Record<string, unknown>;
  if (arrayValue)
    return (arrayValue as { values: Record<string, never>[] }).values.map(readValue) as string[];
  return intValue !== undefined ? Number(intValue) : (Object.values(rest)[0] as AttributeValue);
}
