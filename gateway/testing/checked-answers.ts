import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { ErrorBody } from "#contract/error.ts";
import { MessageError } from "#contract/messages.ts";
import { inOwnTurn } from "#gateway/platform/core/event-loop.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { documentedPath } from "#gateway/platform/http/openapi.ts";

type Schema = Record<string, unknown>;
interface Described {
  tags: string[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
}

const ajv = formats.default(new Ajv2020({ strict: false }));
const isError = ajv.compile(ErrorBody);
const isMessageError = ajv.compile(MessageError);
/** The schemas are compiled once per process, because the document is the same in every test. */
/** No client reads this answer. */
const clientLeft = 499;
const validators = new WeakMap<Schema, ValidateFunction>();
const documents = new Map<string, Described | undefined>();

/** Compares every answer of a gateway with its OpenAPI document. */
export class CheckedAnswers {
  readonly #undescribed = new Set<string>();

  observe(app: App, documentOf: (routes: RouteOptions[]) => Promise<object>): void {
    const routes: RouteOptions[] = [];
    app.addHook("onRoute", (route) => void routes.push(route));
    let described: Promise<Document> | undefined;
    const documentNow = () => {
      described ??= documentOf(routes) as Promise<Document>;
      return described;
    };
    app.addHook("onSend", async (request, reply, payload) => {
      if (["HEAD", "OPTIONS"].includes(request.method)) return payload;
      const whole = unpacked(reply, payload);
      // In a turn of its own, so that tests can measure the gateway's.
      const text = typeof whole === "string" ? whole : "";
      await inOwnTurn(text, () => this.#check(documentNow, request, reply, whole));
      return payload;
    });
    // Streams are written past the hook above: only their status and type can be compared.
    app.addHook("onResponse", async (request, reply) => {
      if (typeOf(reply) === "text/event-stream") await this.#check(documentNow, request, reply, null);
    });
  }

  /** Throws if an answer differed from the document. */
  refuseUndescribed(): void {
    if (this.#undescribed.size > 0)
      throw new Error(`/v1/openapi.json does not describe:\n${[...this.#undescribed].join("\n")}`);
  }

  async #check(
    documentNow: () => Promise<Document>,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<void> {
    const { method, routeOptions } = request;
    const { statusCode: status } = reply.raw.headersSent ? reply.raw : reply;
    if (status === clientLeft) return;
    const type = typeOf(reply);
    const problem = routeOptions.url
      ? problemOf(await describedAt(documentNow, method, routeOptions.url), status, type, payload)
      : invalid(request.url.startsWith("/v1/messages") ? isMessageError : isError, payload);
    if (problem) this.#undescribed.add(`${method} ${routeOptions.url}: ${status} ${type} ${problem}`);
  }
}

function typeOf(reply: FastifyReply): string {
  return String(reply.getHeader("content-type") ?? "").split(";")[0] ?? "";
}

/** The payload before compression. */
function unpacked(reply: FastifyReply, payload: unknown): unknown {
  if (!Buffer.isBuffer(payload)) return payload;
  const encoding = reply.getHeader("content-encoding");
  if (encoding === "gzip") return gunzipSync(payload).toString();
  if (encoding === "br") return brotliDecompressSync(payload).toString();
  return typeOf(reply) === "application/json" ? payload.toString() : payload;
}

async function describedAt(
  documentNow: () => Promise<Document>,
  method: string,
  url: string,
): Promise<Described | undefined> {
  const key = `${method} ${url}`;
  if (!documents.has(key)) {
    const { paths } = await documentNow();
    documents.set(key, paths[documentedPath(url)]?.[method.toLowerCase()]);
  }
  return documents.get(key);
}

function problemOf(
  described: Described | undefined,
  status: number,
  type: string,
  payload: unknown,
): string | null {
  if (!described) return "(the route)";
  const response = described.responses[status] ?? (status >= 400 ? described.responses.default : undefined);
  if (!response) return "(the status)";
  if (!response.content) return payload ? "(that there is a body)" : null;
  const media = response.content[type] ?? response.content["*/*"];
  if (!media) return "(the content type)";
  return type === "application/json" ? invalid(validatorOf(media.schema, described.tags), payload) : null;
}

function validatorOf(schema: Schema, tags: string[]): ValidateFunction {
  const found = validators.get(schema);
  if (found) return found;
  // An operation's answer may have more fields: the catalog's output schemas name only the certain ones.
  const compiled = ajv.compile(tags.includes("Operations") ? schema : closed(schema));
  validators.set(schema, compiled);
  return compiled;
}

/** The schema, closed for unnamed fields. */
function closed(schema: Schema): Schema {
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closedValue(value)]),
  );
  const isClosed = schema.type === "object" && schema.properties && schema.additionalProperties === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue);
  return typeof value === "object" && value !== null ? closed(value as Schema) : value;
}

function invalid(validate: ValidateFunction, payload: unknown): string | null {
  if (typeof payload !== "string" || validate(JSON.parse(payload))) return null;
  return ajv.errorsText(validate.errors, { dataVar: "" });
}
