import type { Static, TSchema } from "typebox";
import type { Method, RouteName } from "./route.ts";
import type { RouteTable } from "./table.ts";

/** The name of a route, such as `GET /predictions/{id}`. */
export type KnownRoute = keyof RouteTable & string;

/** The name of a route that the console's pages may call. */
export type PageRoute = {
  [Name in KnownRoute]: RouteTable[Name] extends { fromBrowser: true } ? Name : never;
}[KnownRoute];

/** The name of a route that the console's pages may call with the server action `act`. */
export type ClickRoute = {
  [Name in KnownRoute]: RouteTable[Name] extends { byClick: true } ? Name : never;
}[KnownRoute];

type Of<Name extends KnownRoute, Part extends string> =
  RouteTable[Name] extends Record<Part, infer Schema> ? Schema : undefined;
type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : unknown;

/** The names of a path's parameters. */
export type ParamOf<Name extends string> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? Param | ParamOf<Rest>
  : never;

/** The answer to a successful call. */
export type AnswerOf<Name extends KnownRoute> = ValueOf<
  Of<Name, "answers"> extends infer Answers ? Answers[keyof Answers] : undefined
>;
export type QueryOf<Name extends KnownRoute> = ValueOf<Of<Name, "query">>;
export type BodyOf<Name extends KnownRoute> = ValueOf<Of<Name, "body">>;

/**
 * Filters come from the page's address, in which anybody can write any text, so their type is loose. The
 * gateway refuses unknown values.
 */
type Written<Value> = Value extends string ? string : Value;
/** Unset values of a query may be null or undefined. They are not sent. */
type Unset<Query> = { [Filter in keyof Query]?: Written<Query[Filter]> | null | undefined };

/** The type of a body. Lists may be readonly, and undefined fields are not sent. */
type Sent<Body> = {
  [Field in keyof Body]:
    | (Body[Field] extends (infer Item)[] | undefined
        ? readonly Item[] | Exclude<Body[Field], unknown[]>
        : Body[Field])
    | (Record<never, never> extends Pick<Body, Field> ? undefined : never);
};

/** The arguments of a call of a route. */
export type CallOf<Name extends KnownRoute> = ([ParamOf<Name>] extends [never]
  ? unknown
  : { params: Record<ParamOf<Name>, string> }) &
  (Of<Name, "query"> extends TSchema ? { query?: Unset<QueryOf<Name>> | undefined } : unknown) &
  (Of<Name, "body"> extends TSchema ? { body: Sent<BodyOf<Name>> } : unknown);

/**
 * The arguments after the route's name. `Extras` are the client's own arguments. The first argument may be
 * left out if the route needs none.
 */
export type ArgumentsOf<Name extends KnownRoute, Extras> =
  Record<never, never> extends CallOf<Name> ? [call?: CallOf<Name> & Extras] : [call: CallOf<Name> & Extras];

/** The parts of a route that a client reads. */
export interface AnyCall {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

/** Method and path of a call, after `/v1`. Path parameters are encoded. */
export function addressOf(
  name: RouteName,
  params: Record<string, string> = {},
): { method: Method; path: string } {
  const [method, pattern = ""] = name.split(" ") as [Method, string];
  const path = pattern.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
  return { method, path };
}
