import { exampleOf, exampleTime, exampleUlid, resourceOf } from "./example.ts";
import type { ListedSection } from "./read-route.ts";
import { requestSnippets, type Snippet } from "./request-snippets.ts";

type Schema = Record<string, unknown>;

/** The parts of an OpenAPI document that the reference page shows. */
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
  /** Path and query parameters as one object schema. Null without parameters. */
  parameters: Schema | null;
  /** The body. For an operation, one body for each catalog entry. */
  bodies: { title: string; schema: Schema }[];
  answers: { status: string; description: string; schema: Schema | null }[];
  /** An example request in several languages, and a response. The response is null for bytes and empty answers. */
  example: { requests: Snippet[]; answer: ExampleAnswer | null };
  /** Whether the response is one JSON object that the page can fetch and show. */
  isRead: boolean;
}

interface ExampleAnswer {
  status: string;
  /** JSON, or the first lines of a stream. */
  language: "json" | "text";
  text: string;
  /** The value of `text`, when it is JSON. */
  value?: unknown;
}

/** The routes by tag, without their details, because the page lists over a hundred routes. */
export function listedSections(document: OpenApiDocument): ListedSection[] {
  return byTag(document).map(([tag, routes]) => ({
    tag,
    routes: routes.map((route) => {
      const { parameters, ...head } = headOf(route);
      return { ...head, parameters: Object.keys((parameters?.properties as object | undefined) ?? {}) };
    }),
  }));
}

/** The route with this id. Null if there is none. */
export function readOperation(document: OpenApiDocument, id: string): ReferenceOperation | null {
  const route = routesOf(document).find((one) => idOf(one) === id);
  return route ? operationOf(document.servers?.[0]?.url ?? "", route) : null;
}

interface Route {
  path: string;
  method: string;
  operation: OpenApiOperation;
}

function routesOf({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** In the document's order, with the gateway's service routes last. */
function byTag(document: OpenApiDocument): [string, Route[]][] {
  const groups = new Map<string, Route[]>();
  for (const route of routesOf(document)) {
    const tag = route.operation.tags?.[0] ?? "Other";
    const group = groups.get(tag);
    if (group) group.push(route);
    else groups.set(tag, [route]);
  }
  const isService = ([tag]: [string, unknown]) => Number(tag === "Service");
  return [...groups].sort((one, other) => isService(one) - isService(other));
}

function idOf({ path, method, operation }: Route): string {
  return operation.operationId ?? `${method}${path}`;
}

function headOf(route: Route) {
  const { path, method, operation } = route;
  return {
    id: idOf(route),
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    isPublic: operation.security?.length === 0,
    parameters: parametersOf(operation),
  };
}

function operationOf(server: string, route: Route): ReferenceOperation {
  const { path, operation } = route;
  const head = headOf(route);
  const { id, method } = head;
  return {
    ...head,
    note: operation.description ?? null,
    bodies: bodiesOf(operation),
    isRead: method === "GET" && jsonAnswer(operation) !== null,
    example: {
      requests: requestSnippets({
        id,
        method,
        url: exampleUrl(head, server),
        baseUrl: `${server}/v1`,
        needsKey: !head.isPublic && !isSigned(head),
        body: exampleBody(operation, id, path),
        isJson: jsonAnswer(operation) !== null,
      }),
      answer: exampleAnswer(operation, id, path),
    },
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

/** The document's example with media shortened to a reference, or an example made from the schema. */
function exampleBody(operation: OpenApiOperation, id: string, path: string): unknown {
  const content = operation.requestBody?.content?.["application/json"];
  if (!content) return undefined;
  if (id in knownBodies) return knownBodies[id];
  const [own] = Object.values(content.examples ?? {});
  return own ? withoutBytes(own.value) : exampleOf(content.schema ?? {}, path);
}

function withoutBytes(value: unknown): unknown {
  if (typeof value === "string")
    return value.startsWith("data:") ? exampleOf({ type: "string" }, "", "reference") : value;
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutBytes(field)]));
}

function jsonAnswer(operation: OpenApiOperation): Schema | null {
  const [, answer] = successOf(operation) ?? [];
  return answer?.content?.["application/json"]?.schema ?? null;
}

function successOf(operation: OpenApiOperation) {
  return Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith("2"));
}

function exampleAnswer(operation: OpenApiOperation, id: string, path: string): ExampleAnswer | null {
  const [status, answer] = successOf(operation) ?? [];
  if (!status || !answer) return null;
  const schema = jsonAnswer(operation);
  if (schema) {
    const value = knownAnswers[id] ?? exampleOf(schema, path);
    return { status, language: "json", text: JSON.stringify(value, null, 2), value };
  }
  if (!answer.content?.["text/event-stream"]) return null;
  return { status, language: "text", text: 'id: …\nevent: …\ndata: {"…"}\n' };
}

/** Fills in the path with `values`, or with example ids. */
function filledPath(path: string, values: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string, start: number) =>
    values[name] === undefined ? pathWord(name, path.slice(0, start)) : encodeURIComponent(values[name]),
  );
}

/** The example value for a name in a path. `before` is the path up to the name. */
function pathWord(name: string, before: string): string {
  return (
    { namespace: "svc", name: "img-gen-b", kind: "adult", key: "…/0.png" }[name] ?? resourceOf(before).id
  );
}

type Head = ReturnType<typeof headOf>;

/** The query parameters that a request needs. */
function requiredOf({ path, parameters }: Head): string[] {
  return ((parameters?.required ?? []) as string[]).filter((name) => !path.includes(`{${name}}`));
}

/** Whether the address itself is the permission. */
const isSigned = (head: Head) => requiredOf(head).includes("signature");

/** The address of an example request. `server` is the gateway's address without `/v1`. */
function exampleUrl(head: Head, server: string): string {
  const query = requiredOf(head)
    .map((name) => `${name}=…`)
    .join("&");
  // Python's library sends only ASCII in an address.
  return `${server}${filledPath(head.path)}${query && `?${query}`}`.replaceAll("…", "...");
}

/** Examples by operation id that are better than one with every field. */
const knownBodies: Record<string, unknown> = {
  postModelsNamespaceNamePredictions: {
    input: {
      prompt: "A paper boat on a still lake",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    },
  },
  postPredictions: {
    version: "svc/img-gen-b",
    input: {
      prompt: "A paper boat on a still lake",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    },
  },
  postAliases: { name: "gpt-5", models: ["svc/chat-1", "svc/chat-2"], go_on_when: ["busy", "down"] },
  patchAliasesId: { models: ["svc/chat-2"] },
  postOutputsIdShares: { expires_in: 86_400, show_prompt: false },
  postUploads: { filename: "harbour.png", content_type: "image/png", size_bytes: 48_213 },
  postUploadsIdVerify: {},
  postWebhooksEndpoints: { url: "https://example.com/hooks/gatehouse", events: ["prediction.succeeded"] },
  patchWebhooksEndpointsId: { status: "enabled", waiting: "send" },
  postWebhooksEndpointsIdRotateSecret: { overlap_seconds: 86_400 },
  postWebhooksDeliveriesRetry: { filter: { status: "dead-letter" }, limit: 25, dry_run: true },
  postKeys: { name: "laptop", scopes: ["inference", "predictions", "uploads"] },
  patchKeysId: { monthly_budget: { token: 2_000_000, second: 600 } },
  patchAccountBudgets: { budgets: [{ amount: "250.00", currency: "USD", period: "month", hard: true }] },
  postOperatorAccountsIdCredits: { amount: "100.00", note: "Invoice 2026-041" },
  postTasksIdRaise: { amount: "4.00", max_runs: 1_000 },
  postSharedTokenReports: { reason: "person", comment: "This is my face.", email: "ada@example.com" },
};

const task = {
  id: `task_${exampleUlid}`,
  object: "task",
  holder: { type: "key", id: `key_${exampleUlid}`, name: "agent" },
  metadata_key: "session",
  value: "nightly-report-17",
  amount: "2",
  currency: "USD",
  max_runs: 500,
  raised: false,
  spent: "0.4137",
  reserved: "0.05",
  runs: 83,
  ended_at: null,
  last_run_at: exampleTime,
  created_at: exampleTime,
};

/** Example answers by operation id, for routes with a schema that leaves the important field open. */
const knownAnswers: Record<string, unknown> = {
  postChatCompletions: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    object: "chat.completion",
    created: 1_795_339_800,
    model: "svc/chat-1",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Sunlight scatters in the air." },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 24, completion_tokens: 6, total_tokens: 30 },
    svc_region: "us-oregon",
  },
  getTasks: { object: "list", data: [task], has_more: false, first_id: task.id, last_id: task.id },
  getTasksId: task,
  postTasksIdRaise: { ...task, amount: "4", max_runs: 1_000, raised: true },
  postTasksIdEnd: { ...task, ended_at: exampleTime },
  postAudioVoices: {
    action: "create",
    data: { voice: "narrator-01k9z7m3" },
    model: "svc/voice-2",
    svc_region: "cn-beijing",
  },
  postImagesGenerations: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    model: "svc/img-gen-a-1",
    data: [{ url: "https://gatehouse.example/v1/files/…" }],
    svc_region: "cn-beijing",
  },
  postImagesEdits: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    model: "svc/img-gen-a-1",
    data: [{ url: "https://gatehouse.example/v1/files/…" }],
    svc_region: "cn-beijing",
  },
};
