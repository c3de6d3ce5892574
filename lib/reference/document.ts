type Schema = Record<string, unknown>;

/** The parts of an OpenAPI document that the reference page draws. */
export interface OpenApiDocument {
  info: { description?: string; version: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  summary: string;
  description?: string;
  tags?: string[];
  operationId?: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: {
    content?: Record<string, { schema?: Schema; examples?: Record<string, { value?: unknown }> }>;
  };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}

export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  note: string | null;
  isPublic: boolean;
  /** Path and query parameters as one object schema; null without any. */
  parameters: Schema | null;
  /** The body, or one per catalog entry for an operation. */
  bodies: { title: string; schema: Schema }[];
  answers: { status: string; description: string; schema: Schema | null }[];
}

export interface ReferenceGroup {
  tag: string;
  operations: ReferenceOperation[];
}

/** The document as the page reads it: operations by tag, in the document's order. */
export function referenceOf(document: OpenApiDocument): ReferenceGroup[] {
  const groups = new Map<string, ReferenceOperation[]>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), operationOf(path, method, operation)]);
    }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}

function operationOf(path: string, method: string, operation: OpenApiOperation): ReferenceOperation {
  return {
    id: operation.operationId ?? `${method}${path}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    note: operation.description ?? null,
    isPublic: operation.security?.length === 0,
    parameters: parametersOf(operation),
    bodies: bodiesOf(operation),
    answers: Object.entries(operation.responses ?? {}).map(([status, answer]) => ({
      status: status === "default" ? "Error" : status,
      description: answer.description ?? "",
      schema: Object.values(answer.content ?? {})[0]?.schema ?? null,
    })),
  };
}

function parametersOf(operation: OpenApiOperation): Schema | null {
  const parameters = operation.parameters ?? [];
  if (parameters.length === 0) return null;
  return {
    type: "object",
    required: parameters.filter((one) => one.required).map((one) => one.name),
    properties: Object.fromEntries(
      parameters.map((one) => [
        one.name,
        { ...one.schema, description: one.description ?? `in the ${one.in}` },
      ]),
    ),
  };
}

function bodiesOf(operation: OpenApiOperation): { title: string; schema: Schema }[] {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  if (!schema) return [];
  const variants = Array.isArray(schema.oneOf) ? (schema.oneOf as Schema[]) : [schema];
  return variants.map((variant) => ({ title: String(variant.title ?? "Body"), schema: variant }));
}
