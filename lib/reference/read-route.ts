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
