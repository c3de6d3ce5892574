import { Readable } from "node:stream";
import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { FastifyRequest, preValidationHookHandler } from "fastify";
import type { ErrorDetail } from "#contract/error.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { nextTurn, yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { App } from "./app.ts";
import { refuseManyValues, refuseUnstorable } from "./body-bounds.ts";
import { boundKeywords } from "./bounded-keywords.ts";
import { type BoundedValidator, boundedValidator, maxDetails } from "./bounded-validation.ts";
import { messageOf } from "./fault-words.ts";
import { paramAt } from "./multipart-failure.ts";

/** Errors quote this many characters of an unknown name. */
const maxNameLength = 100;

export const compileBody = compiler({ coerceTypes: false });
/** Query strings and path parameters are text, so they are converted to the schema's types. */
const compileText = compiler({ coerceTypes: true });

/**
 * Ajv checks requests against route schemas; query and path values are converted before, bodies are not.
 * Bodies that cannot be stored, or not be parsed in bounded time, are rejected earlier. Answers are plain
 * JSON.
 */
export function installValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => validatorOf(schema as object, httpPart));
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  readBodies(app);
}

/** The validator of one part of a route's requests, compiled at its first use. */
export function validatorOf(schema: object, httpPart: string | undefined): BoundedValidator {
  return (httpPart === "body" ? compileBody : compileText)(schema);
}

/**
 * A missing body counts as an empty object: clients send `POST …/cancel` with a JSON content type and no
 * body.
 */
function readBodies(app: App): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    if (text.length > largeTextCharacters) {
      parseLarge(text as string).then((body) => done(null, body), done);
      return;
    }
    let body: unknown;
    try {
      body = parseJson(text as string);
    } catch (error) {
      return done(error as Error);
    }
    done(null, body);
  });
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding === undefined || encoding.toLowerCase() === "identity") return done();
    reply.header("accept-encoding", "identity");
    done(new ApiError("unsupported_media_type", "Send the body without `Content-Encoding`."));
  });
  app.addHook("preValidation", (request, _reply, done) => {
    const pause = yieldToEventLoop();
    if (request.body === undefined || request.body === null) request.body = {};
    if (!request.is404) {
      for (const values of [request.params, request.query, request.body]) refuseUnstorable(values);
      refuseUnread(request);
    }
    const others = pause();
    if (others) others.then(() => done(), done);
    else done();
  });
}

/**
 * A longer text is decoded, counted, parsed and checked in separate turns, so that other requests proceed in
 * between.
 */
const largeTextCharacters = 200_000;

async function parseLarge(text: string): Promise<unknown> {
  await nextTurn();
  refuseManyValues(text);
  await nextTurn();
  const body = parsed(text);
  await nextTurn();
  return body;
}

function parseJson(text: string): unknown {
  if (text === "") return {};
  refuseManyValues(text);
  return parsed(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON.");
  }
}

/**
 * Rejects unknown parameters of calls that change something: an unsupported `dry_run` must not be ignored.
 * Operations accept names beyond their schema, as JSON Schema allows.
 */
function refuseUnread({ method, routeOptions, body, query }: FastifyRequest): void {
  const { schema, config } = routeOptions;
  if (config.operation || method === "GET" || method === "HEAD" || method === "OPTIONS") return;
  if (!schema?.body && !(body instanceof Readable)) refuseNames(body, "body");
  if (!schema?.querystring) refuseNames(query, "query");
}

function refuseNames(values: unknown, place: "body" | "query"): void {
  const [name] = Object.keys(values as object);
  if (name === undefined) return;
  const param = shortened(name);
  const message = `is unknown: this call has no ${place}`;
  throw new ApiError("invalid_parameter", `${param} ${message}`, {
    param,
    details: [{ path: `/${param}`, keyword: "additionalProperties", message }],
  });
}

function compiler(options: { coerceTypes: boolean }) {
  const [first, all] = [false, true].map((allErrors) => {
    const ajv = new Ajv({
      ...options,
      allErrors,
      useDefaults: true,
      removeAdditional: false,
      strict: false,
      verbose: true,
    });
    return formats.default(boundKeywords(ajv)).addFormat("date-time", { validate: isDateTime });
  }) as [Ajv, Ajv];
  return (schema: object) =>
    boundedValidator(
      () => first.compile(schema),
      () => all.compile(schema),
    );
}

/**
 * A hook for routes whose name another API also uses. A body of that API (it has one of these fields, or is
 * empty) gets an answer that says what to do here instead.
 */
export function refuseForeign(fields: readonly string[], instead: string): preValidationHookHandler {
  return ({ body }, _reply, done) => {
    const param = fields.find((field) => Object.hasOwn(Object(body), field)) ?? null;
    const isForeign = param !== null || Object.keys(Object(body)).length === 0;
    done(isForeign ? new ApiError("invalid_parameter", instead, { param }) : undefined);
  };
}

/** The error for problems found by a route schema. */
export function validationError(problems: readonly unknown[], where?: string): ApiError {
  const details = (problems as ErrorObject[]).slice(0, maxDetails).map(detailOf);
  const first = details[0] ?? { path: "", keyword: "", message: "is not valid" };
  const param = paramAt(first.path) || null;
  const code = first.keyword === "required" ? "missing_parameter" : "invalid_parameter";
  const subject = param ?? (where === "querystring" ? "The query" : where === "row" ? "The row" : "The body");
  return new ApiError(code, `${subject} ${first.message}`, { param, details });
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params, parentSchema } = error;
  if (keyword === "required")
    return { path: `${instancePath}/${String(params.missingProperty)}`, keyword, message: "is required" };
  if (keyword === "additionalProperties") {
    const name = String(params.additionalProperty);
    const known = Object.keys((parentSchema?.properties ?? {}) as object);
    return { path: `${instancePath}/${shortened(name)}`, keyword, message: unknownName(name, known) };
  }
  return { path: instancePath, keyword, message: messageOf(error) };
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== null) return `is unknown; did you mean ${meant}?`;
  return known.length === 0 ? "is unknown" : `is unknown; known are ${known.join(", ")}`;
}

/** A name sent by the client, shortened for an error message. */
function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

const { validate: hasForm } = fullFormats["date-time"] as { validate: (text: string) => boolean };
/** PostgreSQL's text form has a year of four digits AD. */
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
/** In characters; a time with nine decimals has 35. */
const longestTime = 64;

/** RFC 3339 times that JavaScript and PostgreSQL support: no leap seconds, no year 0. */
export function isDateTime(text: string): boolean {
  if (text.length > longestTime) return false;
  const time = Date.parse(text);
  return hasForm(text) && time >= earliest && time <= latest;
}
