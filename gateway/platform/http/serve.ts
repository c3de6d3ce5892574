import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { ParamOf } from "#contract/routes/client.ts";
import type { Route, RouteName, Routes } from "#contract/routes/route.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { App } from "./app.ts";
import { answerOnce } from "./idempotency.ts";

type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : unknown;
type PartOf<Entry, Part extends string> =
  Entry extends Record<Part, infer Schema> ? ValueOf<Schema> : unknown;

/** The handler's request, typed by the route's entry. */
export type RequestOf<Name extends RouteName, Entry extends Route> = FastifyRequest<{
  Params: Entry extends { params: infer Params } ? ValueOf<Params> : Record<ParamOf<Name>, string>;
  Querystring: PartOf<Entry, "query">;
  Body: PartOf<Entry, "body"> | ForeignOf<Entry, "foreignBody">;
}>;
type AnswerOf<Entry extends Route> = Entry extends { answers: infer Answers }
  ? ValueOf<Answers[keyof Answers]> | ForeignOf<Entry, "foreignAnswer">
  : unknown;
type ForeignOf<Entry, Part extends string> =
  Entry extends Record<Part, infer Schema> ? ValueOf<Schema> : never;

/**
 * Routes that support `Idempotency-Key` call this before a write that must not happen twice; see `KeyClaims`.
 */
type AssertHeld = () => Promise<void>;

/**
 * A handler per route: returns the body of the entry's first answer, or sends another one itself. Answers of
 * an `idempotent` entry are stored, so its handler returns the body and sends nothing.
 */
export type Handlers<Table extends Routes> = {
  [Name in keyof Table & RouteName]: (
    request: RequestOf<Name, NonNullable<Table[Name]>>,
    reply: FastifyReply,
    assertHeld: AssertHeld,
  ) =>
    | AnswerOf<NonNullable<Table[Name]>>
    | FastifyReply
    | Promise<AnswerOf<NonNullable<Table[Name]>> | FastifyReply>;
};

interface Options<Name extends RouteName, Entry extends Route> extends Partial<RouteOptions> {
  /**
   * Finds the object that a request created if its process died before storing the answer, by that request's
   * id.
   */
  recover?: (request: RequestOf<Name, Entry>, requestId: string) => Promise<AnswerOf<Entry> | null>;
  /** The handler calls `answerOnce` itself, because it must first read what is compared. */
  comparesItself?: true;
}

/**
 * Registers the routes of a table. Status, `Location` and `Idempotency-Key` follow the entry. `options` are
 * additional Fastify options, such as a body limit.
 */
export function serve<Table extends Routes>(
  app: App,
  context: PlatformContext,
  table: Table,
  handlers: Handlers<Table>,
  options: { [Name in keyof Table & RouteName]?: Options<Name, NonNullable<Table[Name]>> } = {},
): void {
  for (const [name, route] of Object.entries(table) as [RouteName, Route][]) {
    const [method = "", path = ""] = name.split(" ");
    const { summary, matches, params, query, body, answers, replayed, otherAnswers, ...others } = route;
    const { foreignBody, foreignAnswer, operation, fromBrowser, byClick, location, ...access } = others;
    const status = Number(Object.keys(answers ?? {})[0] ?? 200);
    const first = answers?.[status];
    const isTable = Object.hasOwn(otherAnswers?.[200]?.content ?? {}, "text/csv");
    const { recover, comparesItself, ...fastifyOptions }: Options<RouteName, Route> =
      options[name as keyof typeof options] ?? {};
    const own = handlers[name as keyof typeof handlers] as unknown as Handler;
    const saysWhenItWrites = method === "GET" || operation || own.length > 2;
    const handler = saysWhenItWrites ? own : beginningAtOnce(own);
    app.route({
      method,
      url: matches ?? path.replace(/\{(\w+)\}/g, ":$1"),
      config: {
        ...access,
        ...(operation && { operation: true }),
        ...(isClosed(body) && !fastifyOptions.validatorCompiler && { bodyFields: body.properties }),
      },
      schema: {
        ...(path.includes("{") && { params: params ?? textParams(path) }),
        ...(query && { querystring: query }),
        ...(body && { body }),
        ...(first && {
          response: { ...answers, [status]: replayed ? Type.Union([first, replayed]) : first },
        }),
      },
      // A HEAD request would read the whole table.
      ...(isTable && { exposeHeadRoute: false }),
      ...fastifyOptions,
      // Operations store their own answers, which may be bytes or a stream (`runs/execution/answers.ts`).
      handler:
        route.idempotent && !operation && !comparesItself
          ? once(context, handler, { status, location, replayed, recover })
          : (request, reply) => handler(request, reply.code(status), neverLost),
    });
  }
}

function isClosed(body: object | undefined): body is TObject {
  return body !== undefined && "additionalProperties" in body && body.additionalProperties === false;
}

type Handler = (request: FastifyRequest, reply: FastifyReply, assertHeld: AssertHeld) => unknown;
const neverLost: AssertHeld = async () => {};

/** A handler that does not take `assertHeld` may have written something before any of its errors. */
function beginningAtOnce(handler: Handler): Handler {
  return (request, reply, assertHeld) => {
    request.mayHaveWritten = true;
    return handler(request, reply, assertHeld);
  };
}

interface Kept {
  status: number;
  location: Route["location"];
  replayed: TSchema | undefined;
  recover: ((request: FastifyRequest, requestId: string) => Promise<unknown>) | undefined;
}

/**
 * A handler whose answer is stored for its `Idempotency-Key`. It may set another status before it returns.
 */
function once(context: PlatformContext, handler: Handler, { status, location, replayed, recover }: Kept) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answerOf = (body: unknown) => ({
      status: reply.statusCode,
      headers: location ? locationHeader(context, location, body) : {},
      body,
    });
    const { params, body, caller } = request;
    reply.code(status);
    const answer = await answerOnce(
      context,
      request,
      caller.actor,
      { params, body },
      async (assertHeld) => answerOf(await handler(request, reply, assertHeld)),
      {
        ...(replayed && { kept: (body) => onlyOf(replayed, body) }),
        ...(recover && {
          async recover(requestId) {
            const made = await recover(request, requestId);
            return made === null ? null : answerOf(made);
          },
        }),
      },
    );
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  };
}

/** The body's properties that the schema names. */
function onlyOf(schema: TSchema, body: unknown): unknown {
  const { properties } = schema as { properties?: object };
  return Object.fromEntries(
    Object.entries(body as object).filter(([name]) => Object.hasOwn(properties ?? {}, name)),
  );
}

/**
 * The URL of the created resource, from the entry's pattern and the answer's fields; empty after a dry run.
 */
function locationHeader({ config }: PlatformContext, pattern: string, body: unknown): Record<string, string> {
  const { id } = body as { id?: string | null };
  return id == null ? {} : { location: pattern.replace("{url}", config.publicUrl).replace("{id}", id) };
}

/** A schema that reads the path's parameters as plain text. */
function textParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
}
