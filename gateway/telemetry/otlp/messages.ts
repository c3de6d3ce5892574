import type { AttributeValue, Link, SpanStatus } from "@opentelemetry/api";
import { ProtoWriter } from "./proto-writer.ts";

/** The field of spans, records and metrics in the message of their scope. */
export const itemField = 2;

export interface EndedSpan {
  traceId: string;
  spanId: string;
  traceState: string | undefined;
  parentId: string | undefined;
  flags: number;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: object;
  events: readonly { name: string; atMs: number }[];
  links: readonly Link[];
  status: SpanStatus;
}

/** OTLP's own message: https://github.com/open-telemetry/opentelemetry-proto. */
export function writeSpan(to: ProtoWriter, span: EndedSpan): void {
  const begun = to.begin(itemField);
  to.hex(1, span.traceId);
  to.hex(2, span.spanId);
  if (span.traceState) to.text(3, span.traceState);
  if (span.parentId) to.hex(4, span.parentId);
  to.text(5, span.name);
  to.varint(6, span.kind + 1);
  to.time(7, span.startMs);
  to.time(8, span.endMs);
  writeAttributes(to, 9, span.attributes);
  for (const { name, atMs } of span.events) {
    const event = to.begin(11);
    to.time(1, atMs);
    to.text(2, name);
    to.end(event);
  }
  for (const { context } of span.links) {
    const link = to.begin(13);
    to.hex(1, context.traceId);
    to.hex(2, context.spanId);
    to.fixed32(6, context.traceFlags);
    to.end(link);
  }
  if (span.status.code !== 0) {
    const status = to.begin(15);
    if (span.status.message) to.text(2, span.status.message);
    to.varint(3, span.status.code);
    to.end(status);
  }
  to.fixed32(16, span.flags);
  to.end(begun);
}

export interface LogRecord {
  atMs: number;
  severity: number;
  severityText: string;
  body: string;
  fields: object;
  traceId: string | undefined;
  spanId: string | undefined;
  flags: number;
}

export function writeRecord(to: ProtoWriter, record: LogRecord): void {
  const begun = to.begin(itemField);
  to.time(1, record.atMs);
  to.varint(2, record.severity);
  to.text(3, record.severityText);
  const body = to.begin(5);
  to.text(1, record.body);
  to.end(body);
  writeAttributes(to, 6, record.fields);
  if (record.traceId && record.spanId) {
    to.fixed32(8, record.flags);
    to.hex(9, record.traceId);
    to.hex(10, record.spanId);
  }
  to.time(11, record.atMs);
  to.end(begun);
}

export function writeAttributes(to: ProtoWriter, field: number, attributes: object): void {
  for (const key in attributes) {
    const value = (attributes as Record<string, AttributeValue | null | undefined>)[key];
    if (value === undefined || value === null) continue;
    if (typeof value === "string" && to.pair(field, key, value)) continue;
    const pair = to.begin(field);
    to.text(1, key);
    const about = to.begin(2);
    writeValue(to, value);
    to.end(about);
    to.end(pair);
  }
}

function writeValue(to: ProtoWriter, value: unknown): void {
  if (typeof value === "string") to.text(1, value);
  else if (typeof value === "boolean") to.varint(2, value ? 1 : 0);
  else if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) to.varint(3, value);
  else if (typeof value === "number") to.double(4, value);
  else if (Array.isArray(value)) writeValues(to, value);
  else to.text(1, JSON.stringify(value));
}

function writeValues(to: ProtoWriter, values: readonly unknown[]): void {
  const list = to.begin(5);
  for (const value of values) {
    const one = to.begin(1);
    writeValue(to, value);
    to.end(one);
  }
  to.end(list);
}

/** What is sent before so many bytes of items: the resource and the scope that they are of. */
export function headOf(resource: object, scope: string, itemBytes: number): Buffer {
  const to = new ProtoWriter();
  const all = to.begin(1);
  const about = to.begin(1);
  writeAttributes(to, 1, resource);
  to.end(about);
  const scoped = to.begin(2);
  const named = to.begin(1);
  to.text(1, scope);
  to.end(named);
  to.end(scoped, itemBytes);
  to.end(all, itemBytes);
  return to.take();
}
