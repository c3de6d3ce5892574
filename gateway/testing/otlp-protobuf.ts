/** A field of a message of OTLP: its name in JSON, and how it is read. */
type Field = [name: string, kind: "text" | "hex" | "number" | "long" | "double" | Schema, isList?: true];
type Schema = { [field: number]: Field };

const value: Schema = { 1: ["stringValue", "text"], 2: ["boolValue", "number"], 3: ["intValue", "number"] };
value[4] = ["doubleValue", "double"];
value[5] = ["arrayValue", { 1: ["values", value, true] }];
const attribute: Schema = { 1: ["key", "text"], 2: ["value", value] };
const event: Schema = { 1: ["timeUnixNano", "long"], 2: ["name", "text"] };
const span: Schema = {
  1: ["traceId", "hex"],
  2: ["spanId", "hex"],
  4: ["parentSpanId", "hex"],
  5: ["name", "text"],
  6: ["kind", "number"],
  7: ["startTimeUnixNano", "long"],
  8: ["endTimeUnixNano", "long"],
  9: ["attributes", attribute, true],
  11: ["events", event, true],
  13: ["links", { 1: ["traceId", "hex"], 2: ["spanId", "hex"] }, true],
  15: ["status", { 2: ["message", "text"], 3: ["code", "number"] }],
};
const record: Schema = {
  3: ["severityText", "text"],
  5: ["body", value],
  6: ["attributes", attribute, true],
  9: ["traceId", "hex"],
};
const point: Schema = {
  4: ["count", "long"],
  5: ["sum", "double"],
  6: ["bucketCounts", "long", true],
  7: ["explicitBounds", "double", true],
  9: ["attributes", attribute, true],
};
const metric: Schema = { 1: ["name", "text"], 9: ["histogram", { 1: ["dataPoints", point, true] }] };

const requests = {
  traces: requestOf("resourceSpans", "scopeSpans", ["spans", span, true]),
  logs: requestOf("resourceLogs", "scopeLogs", ["logRecords", record, true]),
  metrics: requestOf("resourceMetrics", "scopeMetrics", ["metrics", metric, true]),
};

function requestOf(outer: string, inner: string, items: Field): Schema {
  const resource: Schema = { 1: ["attributes", attribute, true] };
  return { 1: [outer, { 1: ["resource", resource], 2: [inner, { 2: items }, true] }, true] };
}

/** Reads a body for `/v1/traces`, `/v1/logs` or `/v1/metrics` as OTLP's JSON. */
export function readOtlp(path: string, bytes: Buffer): Record<string, unknown> {
  return readMessage(requests[path.slice(path.lastIndexOf("/") + 1) as keyof typeof requests], bytes);
}

function readMessage(schema: Schema, bytes: Buffer): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const [name, , isList] of Object.values(schema)) if (isList) message[name] = [];
  let at = 0;
  const varint = (): number => {
    for (let result = 0, factor = 1; ; factor *= 128) {
      const byte = bytes[at++] as number;
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const length = wire === 2 ? varint() : ({ 1: 8, 5: 4 }[wire] ?? 0);
    const plain = wire === 0 ? varint() : 0;
    const part = bytes.subarray(at, at + length);
    at += length;
    const [name, kind, isList] = schema[tag >>> 3] ?? [];
    if (!name || !kind) continue;
    const read = wire === 0 ? plain : readField(kind, part);
    if (isList) (message[name] as unknown[]).push(read);
    else message[name] = read;
  }
  return message;
}

function readField(kind: Field[1], part: Buffer): unknown {
  if (typeof kind === "object") return readMessage(kind, part);
  if (kind === "text") return part.toString("utf8");
  if (kind === "hex") return part.toString("hex");
  return kind === "double" ? part.readDoubleLE() : String(part.readBigUInt64LE());
}
