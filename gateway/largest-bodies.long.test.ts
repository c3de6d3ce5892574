import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { byName } from "#contract/by-name.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { maxBodyValues } from "./platform/http/body-bounds.ts";
import { withFiles } from "./runs/execution/routes.ts";
import { type ShapeName, type Size, shapeNames, shapes } from "./testing/body-shapes.ts";
import { startTestGateway } from "./testing/gateway.ts";
import type { LargeAnswer, LargeRequest } from "./testing/large-requests-process.ts";

/**
 * The longest turn of the event loop that one request may cause, in CPU time of the main thread, so that a
 * busy machine adds none.
 */
const longestStandstillMs = 60;
/** For the largest bodies, of which `JSON.parse` is a single step of 42 to 76 ms. */
const longestOfLargeMs = 90;
/** What escapes need there is more: 116 ms for 64 MB of them. The turn may take this many times as long as that step alone. */
const longestOfStep = 1.5;
const largeBodyBytes = 16_000_000;
/**
 * Tries every shape in every field at this size, then sends the slowest shapes of a route at the route's size
 * limit. Where the schema of a field refuses a shape for its type or length, the routes that read bodies alike
 * also refuse it alike, so one field with this type or length is tried for all of them. Every shape that a
 * field may take is tried in this field of this route.
 */
const trial: Size = { bytes: 60_000, values: 12_000 };
const slowestOfRoute = 3;
/**
 * A body that took too long is sent again up to this often: its real cost shows up each time, a disturbance
 * by the machine does not.
 */
const maxRepeats = 20;
const usualBodyBytes = 1_000_000;
const tickMs = 5;
const plenty = 1_000_000_000;

let sender: ChildProcess;
/** A key that may not run anything, because the search measures only the work before a run. */
let checkedKey: string;
const gateway = shared(() =>
  startTestGateway({
    role: "api",
    requestsPerMinute: plenty,
    apiRequestsPerMinute: plenty,
    publicRequestsPerMinute: plenty,
    sandboxTimeoutMs: 1_000,
  }),
);
const account = shared(() => gateway.createAccount("adult", "portrait_rights"));
beforeAll(async () => {
  checkedKey = await gateway.createKey(account.accountId, { regions: [] });
  sender = fork(path.join(import.meta.dirname, "testing/large-requests-process.ts"), { execArgv: [] });
});
afterAll(async () => {
  sender.kill();
});

interface Measured {
  status: LargeAnswer;
  /** The longest turn of the event loop, and the sum of all turns. */
  longestMs: number;
  totalMs: number;
}

/** Sends the request from another process and measures this one, the gateway. */
async function measure(request: LargeRequest): Promise<Measured> {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const first = spentMs();
  let last = first;
  let longestMs = 0;
  const turn = () => {
    const now = spentMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  const ticks = setInterval(turn, tickMs);
  sender.send(request);
  const [status] = (await once(sender, "message")) as [LargeAnswer];
  turn();
  clearInterval(ticks);
  return { status, longestMs, totalMs: last - first };
}

const numbers = JSON.stringify(Array.from({ length: 2_500_000 }, () => 1_234_567));
/** How long an ordinary server's thread needs to read these 20 MB and to write 64 MB of new memory, in ms. */
const usualMs = 50;

/** How many times slower this machine is at the moment; at least 1. */
function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(numbers);
    Buffer.alloc(64_000_000).fill(1);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / usualMs);
}

/** How long `JSON.parse` takes here for a request's body; 0 for a form, which is not parsed in one step. */
function parsingMs({ body, isForm }: LargeRequest): number {
  if (!body || isForm) return 0;
  const text = `${body.before}${shapes[body.shape](body.size)}${body.after}`;
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

type Json = Record<string, unknown>;
/** False for a field that the route refuses, whatever its value. */
type Fields = Record<string, Json | false>;

/** A route with a body that it accepts, in which one field at a time is enlarged to its maximum. */
interface Target {
  method: string;
  url: string;
  bodyBytes: number;
  config: RouteOptions["config"];
  base: Json;
  /** The schema of each field. */
  fields: Fields;
  takesForms?: boolean;
  /** The JSON around the body in an agent's tool call. */
  around?: readonly [string, string];
  /** True for a message of a WebSocket. */
  isMessage?: true;
}

interface Attempt {
  words: string;
  shape: ShapeName;
  /** Equal for attempts that are refused alike. Null if the field may take the value. */
  refusal: string | null;
  /** The most used fields, which are always measured at the limit, whatever the search finds. */
  isUsual: boolean;
  request(size: Size, bearer: string): LargeRequest;
}

/** The id of an existing model; the other ids do not exist. */
const placeholders: Record<string, string> = { ":kind": "adult", ":namespace": "svc", ":name": "vid-t2v" };
/** A value that passes the first checks, for fields of these names. */
const examples = byName<unknown>({
  model: "svc/vid-t2v",
  api_type: "video-generation",
  url: "https://8.8.8.8/hook",
  base_url: "https://example.com/v1",
  email: "someone@example.com",
  content_type: "image/png",
  size_bytes: 10,
  input: { prompt: "a pine", duration: 5 },
});
/** An unknown field: operations accept it, other routes refuse it. */
const unknown = (isAccepted: boolean): Fields => ({ unheard_of: isAccepted && {} });

/** Extra shapes for fields with these names. */
const usual = byName<readonly ShapeName[]>({
  input: ["messages", "short messages", "calls with outputs"],
  messages: ["messages", "short messages"],
  tools: ["tools"],
  prices: ["prices"],
  rows: ["rows of chats"],
  input_schema: ["a schema of many fields"],
  // The answer repeats these values.
  target_model: ["empty rows"],
  voice_prompt: ["empty rows"],
  language_hints: ["empty rows", "texts"],
});

/** Bodies of other chat APIs, whose messages have their own shape. */
const chatExamples = {
  "/v1/responses": { model: "svc/chat-1", input: "a", max_output_tokens: 5 },
  "/v1/messages": { model: "svc/chat-1", max_tokens: 5, messages: [{ role: "user", content: "a" }] },
};

/** Bodies that are accepted, so that the work after the checks is measured too. */
const acceptedExamples = byName<Json>({
  "POST /v1/batches": { model: "svc/chat-1", rows: [{ messages: [{ role: "user", content: "a" }] }] },
  "POST /v1/operator/models": {
    id: "acme/large",
    template: { model: "svc/vid-t2v", api_type: "video-generation" },
    dry_run: true,
  },
});

/** A small value that fits a schema; objects have only their required fields. */
function exampleOf(schema: Json, name = ""): unknown {
  if (examples[name] !== undefined) return examples[name];
  const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as Json[];
  if (choice) return exampleOf(choice, name);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === "object" || schema.properties) {
    const properties = (schema.properties ?? {}) as Record<string, Json>;
    const required = (schema.required ?? []) as string[];
    return Object.fromEntries(required.map((field) => [field, exampleOf(properties[field] ?? {}, field)]));
  }
  if (schema.type === "array") return [];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return "a".repeat(Number(schema.minLength ?? 1));
}

function fieldsOf(schema: Json): Fields {
  const parts = [schema, ...((schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as Json[])];
  const known = parts.flatMap(({ properties }) => Object.entries((properties ?? {}) as Record<string, Json>));
  const byField = Map.groupBy(known, ([name]) => name);
  return Object.fromEntries(
    [...byField].map(([name, same]) => [name, { anyOf: same.map(([, choice]) => choice) }]),
  );
}

/** The values that the shapes have in trials. */
const trialValues = new Map(shapeNames.map((shape) => [shape, JSON.parse(shapes[shape](trial)) as unknown]));

/** What a schema demands of a value that it refuses for its type or length. Null if it may take the value. */
function refusalOf(schema: Json | false, value: unknown): string | null {
  if (!schema) return "nothing";
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) {
    const refusals = choices.map((choice) => refusalOf(choice, value));
    return refusals.includes(null) ? null : [...new Set(refusals)].sort().join(" or ");
  }
  const type = Array.isArray(value) ? "array" : typeof value;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.includes(type)) return types.sort().join(" or ");
  // A character may be two units of the text.
  if (typeof value !== "string" || value.length / 2 <= Number(schema.maxLength ?? Infinity)) return null;
  const { maxLength, pattern, format } = schema;
  return JSON.stringify({ maxLength, pattern, format });
}

/** Every route that reads JSON; an operation's route once for each operation with its own fields. */
function targets(): Target[] {
  const operations = createCatalog()
    .list()
    .data.flatMap((model) => model.operations);
  const ofRoutes = gateway.routes.flatMap((route): Target[] => {
    const method = String(route.method);
    const { url, config } = route;
    if (!["POST", "PUT", "PATCH", "DELETE"].includes(method) || url.endsWith("/content")) return [];
    const at = { method, url, config, bodyBytes: route.bodyLimit ?? usualBodyBytes };
    const body = (route.schema?.body ?? {}) as Json;
    const [, chat] = Object.entries(chatExamples).find(([path]) => url.startsWith(path)) ?? [];
    if (!config?.operation || chat) {
      const base = chat ?? acceptedExamples[`${method} ${url}`] ?? exampleOf(body);
      return [
        {
          ...at,
          base: (base instanceof Object ? base : {}) as Json,
          fields: { ...fieldsOf(body), ...unknown(chat !== undefined) },
        },
      ];
    }
    if (url.endsWith("/predictions"))
      return [{ ...at, base: { input: examples.input }, fields: { input: {}, ...unknown(true) } }];
    const seen = new Set<string>();
    return operations.flatMap(({ api_type: apiType, example, input_schema: schema }): Target[] => {
      if (![`/v1${operationPaths[apiType]}`, `/v1${operationPaths[apiType]}/generations`].includes(url))
        return [];
      const fields = Object.entries({ ...fieldsOf(schema as Json), ...unknown(true) }).filter(
        ([name]) => !seen.has(name),
      );
      for (const [name] of fields) seen.add(name);
      return [
        {
          ...at,
          base: example as Json,
          fields: Object.fromEntries(fields),
          takesForms: withFiles.includes(apiType),
        },
      ];
    });
  });
  return [...ofRoutes, ...messageTargets(ofRoutes), ...toolTargets()];
}

/** A WebSocket message is the body of a response. */
function messageTargets(ofRoutes: readonly Target[]): Target[] {
  return ofRoutes
    .filter(({ url }) => url === "/v1/responses")
    .map((target) => ({
      ...target,
      method: "GET",
      base: { type: "response.create", ...target.base },
      isMessage: true,
    }));
}

/** The arguments of an agent's tools, which the route accepts as any JSON. */
function toolTargets(): Target[] {
  const tools = { run: { model: examples.model, input: examples.input }, search_models: {}, upload_link: {} };
  const names = ["input", "model", "operation", "idempotency_key", "query", "content_type"];
  const fields = { ...Object.fromEntries(names.map((name) => [name, {}])), ...unknown(true) };
  return Object.entries(tools).map(([name, base]) => ({
    method: "POST",
    url: "/mcp",
    bodyBytes: 4_000_000,
    config: {},
    base,
    fields,
    around: [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":`, "}}"],
  }));
}

function attemptsOf({ method, url, config, base, fields, takesForms, around, isMessage }: Target): Attempt[] {
  const path = url.replace(/:\w+|\*/g, (name) => placeholders[name] ?? "nothing");
  const ways = (takesForms ? [false, true] : [false]).flatMap((isForm) =>
    Object.entries(fields).map(([field, schema]) => ({ isForm, field, schema })),
  );
  // Routes that accept unknown fields read their bodies themselves, all others alike.
  const readBy = fields.unheard_of === false ? "all" : `${method} ${url} ${around?.[0] ?? ""}`;
  return ways.flatMap(({ isForm, field, schema }) =>
    shapeNames.map((shape): Attempt => {
      const { [field]: _, ...rest } = base;
      const [outside, end] = around ?? ["", ""];
      const before = `${outside}{${JSON.stringify(field)}:`;
      const refusal = refusalOf(schema, trialValues.get(shape));
      const after = `${Object.keys(rest).length > 0 ? "," : ""}${JSON.stringify(rest).slice(1)}${end}`;
      return {
        words: `${method} ${url} ${outside} ${String(base.model ?? "")} ${field}: ${shape}${isForm ? " in a form" : ""}`,
        shape,
        refusal: refusal && `${shape}: ${refusal} ${readBy} ${isForm}`,
        isUsual: usual[field]?.includes(shape) ?? false,
        request: ({ bytes, values }, bearer) => ({
          method,
          url: gateway.url.replace("/v1", "") + path,
          headers: {
            authorization: `Bearer ${config?.person || config?.operator ? account.session : bearer}`,
            ...(config?.idempotent && !isMessage && { "idempotency-key": crypto.randomUUID() }),
            ...(around && { accept: "application/json, text/event-stream" }),
          },
          ...(isForm && { isForm }),
          ...(isMessage && { isMessage }),
          body: {
            before,
            shape,
            after,
            // Rounded, so that the bodies of trials have equal values, which are built once.
            size: {
              bytes: Math.floor((bytes - Buffer.byteLength(before + after)) / 1_000) * 1_000 - 100,
              values: values - 200,
            },
          },
        }),
      };
    }),
  );
}

interface Found extends Measured {
  words: string;
  isSlow: boolean;
}

it("no body of any route delays other requests, whatever its shape", { timeout: 1_800_000 }, async () => {
  const byRoute = Map.groupBy(targets(), ({ method, url }) => `${method} ${url}`);
  const found: Found[] = [];
  const refusedMs = new Map<string, number>();
  const only = new RegExp(process.env.ONLY ?? "");
  for (const [route, targetsOfRoute] of byRoute) {
    const attempts = targetsOfRoute.flatMap(attemptsOf).filter(({ words }) => only.test(words));
    const [first] = attempts;
    if (!first) continue;
    // The first use also compiles code, so it is not counted.
    await measure(first.request(trial, checkedKey));
    const tried: { attempt: Attempt; ms: number }[] = [];
    for (const attempt of attempts) {
      const { refusal } = attempt;
      const known = refusal === null ? undefined : refusedMs.get(refusal);
      const ms = known ?? (await measure(attempt.request(trial, checkedKey))).totalMs;
      if (refusal !== null) refusedMs.set(refusal, ms);
      tried.push({ attempt, ms });
    }
    const bodyBytes = targetsOfRoute[0]?.bodyBytes ?? usualBodyBytes;
    const sorted = tried.toSorted((one, other) => other.ms - one.ms);
    const requestOf = ({ request }: Attempt) =>
      request({ bytes: bodyBytes, values: maxBodyValues }, account.key);
    const longestMs = bodyBytes < largeBodyBytes ? longestStandstillMs : longestOfLargeMs;
    const slowest = sorted.filter(({ attempt }, place) => place < slowestOfRoute || attempt.isUsual);
    for (const { attempt } of slowest) {
      const send = async () => {
        const sent = await measure(requestOf(attempt));
        if (sent.longestMs > longestMs) sent.longestMs /= slowness();
        return sent;
      };
      let best = await send();
      const isLargeStep = best.longestMs > longestMs && bodyBytes >= largeBodyBytes;
      const mostMs = isLargeStep
        ? Math.max(longestMs, longestOfStep * parsingMs(requestOf(attempt)))
        : longestMs;
      // A garbage collection may fall into any turn, so the best of several turns counts.
      for (let again = 0; again < maxRepeats && best.longestMs > mostMs; again += 1) {
        const next = await send();
        if (next.longestMs < best.longestMs) best = next;
      }
      found.push({ ...best, words: attempt.words, isSlow: best.longestMs > mostMs });
    }
    if (process.env.SHOW)
      console.log(
        route,
        tried.length,
        slowest.map(({ ms }) => ms.toFixed(1)).join(" "),
        found
          .slice(-slowest.length)
          .map((f) => `${f.words.slice(-40)} ${f.status} ${f.longestMs.toFixed(0)}`),
      );
  }
  const broken = found.filter(({ status }) => status === null || status >= 500);
  expect(broken.map(({ words, status }) => `${words}: ${status}`)).toEqual([]);
  const slow = found.filter(({ isSlow }) => isSlow);
  expect(slow.map(({ words, longestMs }) => `${words}: ${Math.round(longestMs)} ms`)).toEqual([]);
});
