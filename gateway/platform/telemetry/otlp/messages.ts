import { setBounded } from "#gateway/platform/core/remembered.ts";
import type { Place } from "../span.ts";
import type { Facts } from "../telemetry.ts";
import type { Id } from "./id.ts";
import { ProtoWriter } from "./proto-writer.ts";

/** The field of spans, records and metrics in the message of their scope. */
export const itemField = 2;

const attributesField = 9;

/** OTLP's number for the status "error". */
const failed = 2;

/** Facts added to a span, linked to those added before: an array would reserve room for many more. */
export interface LogFields {
  facts: Facts;
  /** Whether many spans share this object. */
  isShared: boolean;
  before: LogFields | null;
}

export interface EndedSpan {
  trace: Id;
  id: Id;
  parentId: Id | null;
  traceState: Place["traceState"];
  traceFlags: number;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  fields: LogFields | null;
  events: readonly { name: string; atMs: number }[] | null;
  links: readonly Place[];
  /** The error code of a failed span. */
  code: string | null;
}

/** OTLP's message of a span: https://github.com/open-telemetry/opentelemetry-proto. */
export function writeSpan(to: ProtoWriter, span: EndedSpan): void {
  const begun = to.begin(itemField);
  to.id(1, span.trace);
  to.id(2, span.id);
  if (span.traceState) to.text(3, span.traceState.serialize());
  if (span.parentId) to.id(4, span.parentId);
  to.raw(nameOf(span.name));
  to.varint(6, span.kind + 1);
  to.time(7, span.startMs);
  to.time(8, span.endMs);
  for (let fields = span.fields; fields; fields = fields.before)
    if (fields.isShared) to.raw(sharedAttributes(fields.facts));
    else writeAttributes(to, attributesField, fields.facts);
  if (span.code !== null) writeAttributes(to, attributesField, { "error.type": span.code });
  if (span.events)
    for (const { name, atMs } of span.events) {
      const event = to.begin(11);
      to.time(1, atMs);
      to.text(2, name);
      to.end(event);
    }
  for (const { traceId, spanId, traceFlags } of span.links) {
    const link = to.begin(13);
    to.hex(1, traceId);
    to.hex(2, spanId);
    to.fixed32(6, traceFlags);
    to.end(link);
  }
  if (span.code !== null) {
    const status = to.begin(15);
    to.text(2, span.code);
    to.varint(3, failed);
    to.end(status);
  }
  to.fixed32(16, span.traceFlags);
  to.end(begun);
}

const written = new WeakMap<Facts, Buffer>();
const scratch = new ProtoWriter();
/**
 * At most this many encoded names are cached: there should be few different names, but nothing guarantees
 * that.
 */
const maxNames = 2_000;
const names = new Map<string, Buffer>();

/** The field with a span's name, encoded once. */
function nameOf(name: string): Buffer {
  const known = names.get(name);
  if (known) return known;
  scratch.clear();
  scratch.text(5, name);
  const bytes = Buffer.from(scratch.written);
  setBounded(names, name, bytes, maxNames);
  return bytes;
}

/** Attributes shared by many spans, encoded once. */
function sharedAttributes(facts: Facts): Buffer {
  const known = written.get(facts);
  if (known) return known;
  scratch.clear();
  writeAttributes(scratch, attributesField, facts);
  const bytes = Buffer.from(scratch.written);
  written.set(facts, bytes);
  return bytes;
}

export interface LogRecord {
  atMs: number;
  severity: number;
  severityText: string;
  body: string;
  /** The parsed line. */
  fields: object;
  place: Place | undefined;
}

/**
 * Fields of a log line that are not written as attributes, because the record or its resource already has
 * them.
 */
export const fieldsElsewhere: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname"]);

export function writeRecord(to: ProtoWriter, record: LogRecord): void {
  const begun = to.begin(itemField);
  to.time(1, record.atMs);
  to.varint(2, record.severity);
  to.text(3, record.severityText);
  const body = to.begin(5);
  to.text(1, record.body);
  to.end(body);
  for (const name in record.fields)
    if (!fieldsElsewhere.has(name)) writeAttribute(to, 6, name, (record.fields as Facts)[name]);
  if (record.place) {
    to.fixed32(8, record.place.traceFlags);
    const { trace, id } = record.place;
    if (trace) to.id(9, trace);
    else to.hex(9, record.place.traceId);
    if (id) to.id(10, id);
    else to.hex(10, record.place.spanId);
  }
  to.time(11, record.atMs);
  to.end(begun);
}

export function writeAttributes(to: ProtoWriter, field: number, attributes: object): void {
  for (const key in attributes) writeAttribute(to, field, key, (attributes as Facts)[key]);
}

function writeAttribute(to: ProtoWriter, field: number, key: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === "string" && to.pair(field, key, value)) return;
  const pair = to.begin(field);
  to.key(key);
  const about = to.begin(2);
  writeValue(to, value);
  to.end(about);
  to.end(pair);
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

/** The beginning of a request with this many bytes of items: their resource and scope. */
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
  return to.written;
}
