/** A GET route that the reference can call, with only the data that the browser needs. */
export interface ReadRoute {
  summary: string;
  /** The path from the document, such as `/v1/predictions/{id}`. */
  path: string;
  parameters: ReadParameter[];
}

export interface ReadParameter {
  name: string;
  inPath: boolean;
  required: boolean;
  /** The values to choose from. Empty if any value may be entered. */
  options: string[];
}

type Schema = Record<string, unknown>;

export function readRouteOf(operation: {
  summary: string;
  path: string;
  parameters: Schema | null;
}): ReadRoute {
  const { summary, path, parameters } = operation;
  const properties = (parameters?.properties ?? {}) as Record<string, Schema>;
  const required = (parameters?.required ?? []) as string[];
  return {
    summary,
    path,
    parameters: Object.entries(properties).map(([name, schema]) => ({
      name,
      inPath: path.includes(`{${name}}`),
      required: required.includes(name),
      options: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    })),
  };
}

/** The request for these values: the path after `/v1`, and the query. */
export function readRequestOf(
  { path, parameters }: ReadRoute,
  values: Record<string, string>,
): { path: string; query: Record<string, string> } {
  const value = (name: string) => values[name]?.trim() ?? "";
  return {
    path: path
      .replace(/^\/v1/, "")
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name))),
    query: Object.fromEntries(
      parameters.filter(({ inPath, name }) => !inPath && value(name)).map(({ name }) => [name, value(name)]),
    ),
  };
}

/** The part of a route that the reference shows before the user opens the route. */
export interface ListedRoute {
  /** The document's `operationId`, which is the route's anchor. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isPublic: boolean;
  /** Parameter names, which the search also finds. */
  parameters: string[];
}

export interface ListedSection {
  tag: string;
  routes: ListedRoute[];
}

/** Whether the route contains all of these lower-case words. */
export function isFound(tag: string, route: ListedRoute, words: readonly string[]): boolean {
  const { method, path, summary, parameters } = route;
  const text = [tag, method, path, summary, ...parameters].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
