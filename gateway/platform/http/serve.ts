import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { ParamOf } from "#contract/routes/client.ts";
import type { Route, RouteName, Routes } from "#contract/routes/route.ts";
import type { App } from "./app.ts";

type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : unknown;
type PartOf<Entry, Part extends string> =
  Entry extends Record<Part, infer Schema> ? ValueOf<Schema> : unknown;

/** The request that a route's handler gets, as its entry types it. */
export type RequestOf<Name extends RouteName, Entry extends Route> = FastifyRequest<{
  Params: Entry extends { params: infer Params } ? ValueOf<Params> : Record<ParamOf<Name>, string>;
  Querystring: PartOf<Entry, "query">;
  Body: PartOf<Entry, "body">;
}>;
type AnswerOf<Entry extends Route> = Entry extends { answers: infer Answers }
  ? ValueOf<Answers[keyof Answers]>
  : unknown;

/** A handler of each route: returns the body of the entry's first answer, or sends another one itself. */
export type Handlers<Table extends Routes> = {
  [Name in keyof Table & RouteName]: (
    request: RequestOf<Name, NonNullable<Table[Name]>>,
    reply: FastifyReply,
  ) =>
    | AnswerOf<NonNullable<Table[Name]>>
    | FastifyReply
    | Promise<AnswerOf<NonNullable<Table[Name]>> | FastifyReply>;
};

/** Registers the routes of a table. `options` are what Fastify needs beside it, such as a body limit. */
export function serve<Table extends Routes>(
  app: App,
  table: Table,
  handlers: Handlers<Table>,
  options: { [Name in keyof Table]?: Partial<RouteOptions> } = {},
): void {
  for (const [name, route] of Object.entries(table) as [RouteName, Route][]) {
    const [method = "", path = ""] = name.split(" ");
    const { summary, matches, params, query, body, answers, replayed, otherAnswers, ...others } = route;
    const { operation, fromBrowser, ...access } = others;
    const status = Number(Object.keys(answers ?? {})[0] ?? 200);
    const first = answers?.[status];
    const handler = handlers[name] as (request: FastifyRequest, reply: FastifyReply) => unknown;
    app.route({
      method,
      url: matches ?? path.replace(/\{(\w+)\}/g, ":$1"),
      config: { ...access, ...(operation && { operation: true }) },
      schema: {
        ...(path.includes("{") && { params: params ?? textParams(path) }),
        ...(query && { querystring: query }),
        ...(body && { body }),
        ...(first && {
          response: { ...answers, [status]: replayed ? Type.Union([first, replayed]) : first },
        }),
      },
      ...options[name],
      handler: status === 200 ? handler : (request, reply) => handler(request, reply.code(status)),
    });
  }
}

/** A path's parameters as plain text. */
function textParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
}
