import { Readable } from "node:stream";
import type { FastifyRequest, preValidationHookHandler } from "fastify";
import type { BoundedValidator } from "#contract/checks/bounded-validation.ts";
import { compileBody, compileText, faultOf, shortened } from "#contract/checks/request-check.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { inOwnTurn, longText } from "#gateway/platform/core/event-loop.ts";
import type { App } from "./app.ts";
import { refuseManyValues, refuseUnstorable, refuseUnstorableNow } from "./body-bounds.ts";

/**
 * Ajv checks requests against route schemas; query and path values are converted before, bodies are not.
 * Bodies that cannot be stored, or cannot be parsed in bounded time, are rejected earlier. Answers are plain
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
    if (text.length > longText) {
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
    if (request.body === undefined || request.body === null) request.body = {};
    if (request.is404) return done();
    refuseUnstorableNow(request.params);
    refuseUnstorableNow(request.query);
    refuseUnread(request);
    // Values of fields that the schema refuses are not checked.
    const others = refuseUnstorable(request.body, request.route.config.bodyFields);
    if (others) others.then(() => done(), done);
    else done();
  });
}

/** The text came in pieces, which the engine joins when the first character is read. */
async function parseLarge(text: string): Promise<unknown> {
  await inOwnTurn(text, (pieces) => pieces.charCodeAt(0));
  await inOwnTurn(text, refuseManyValues);
  return inOwnTurn(text, parsed);
}

function parseJson(text: string): unknown {
  if (text === "") return {};
  refuseManyValues(text);
  return parsed(text);
}

function parsed(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || Array.isArray(body))
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  return body;
}

/**
 * Rejects unknown parameters of calls that change something: an unsupported `dry_run` must not be ignored.
 * Operations accept names beyond their schema, as JSON Schema allows.
 */
function refuseUnread({ method, route, body, query }: FastifyRequest): void {
  const { schema, config } = route;
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

/**
 * A hook for routes whose name another API also uses. A body of that API (it has one of these fields, or is
 * empty) gets an answer that says what to do here instead.
 */
export function refuseForeign(fields: readonly string[], instead: string): preValidationHookHandler {
  return ({ body }, _reply, done) => {
    const param = fields.find((field) => Object.hasOwn(Object(body), field)) ?? null;
    const isForeign = param !== null || Object.keys(Object(body)).length === 0;
    done(isForeign ? invalidParameter(param, instead) : undefined);
  };
}

/** The error for problems found by a route schema. */
export function validationError(problems: readonly unknown[], where?: string): ApiError {
  const { code, message, param, details } = faultOf(problems, where);
  return new ApiError(code, message, { param, details });
}
