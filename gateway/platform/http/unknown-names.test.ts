import { beforeAll, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

let calls: { method: string; path: string; isOperation: boolean; isList: boolean }[];
const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  const { body } = await call(gateway, null, "GET", "/openapi.json");
  calls = callsOf(body as unknown as Documented);
});

interface Documented {
  paths: Record<string, Record<string, { tags: string[]; responses: Record<string, unknown> }>>;
}

const fronts = ["/v1/responses", "/v1/messages"];

/**
 * Every documented call of the API, with ids that do not exist. Excludes `/mcp`, whose messages its protocol
 * defines.
 */
function callsOf({ paths }: Documented) {
  const ofApi = Object.entries(paths).filter(([path]) => path.startsWith("/v1/"));
  return ofApi.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, responses }]) => ({
      method: method.toUpperCase(),
      path: path
        .replace(/^\/v1/, "")
        .replace("{kind}", "adult")
        .replace("{version}", "1")
        .replaceAll(/\{\w+\}/g, "none"),
      // Chat routes of other APIs accept whatever their clients send, and report ignored names in a header.
      isOperation: tags.includes("Operations") || fronts.some((front) => path.startsWith(front)),
      isList: JSON.stringify(responses["200"] ?? {}).includes('"enum":["list"]'),
    })),
  );
}

/** Parameters that a list requires. */
const required = new Map([["/operator/usage/lines", "day=2026-11-21&"]]);

async function refusal(method: string, path: string, body?: unknown) {
  const answer = await call(gateway, account.session, method, path, body);
  return { status: answer.status, error: answer.body.error };
}

const unknown = (param: string, message: RegExp | string = "is unknown") => ({
  status: 400,
  error: { code: "invalid_parameter", param, message: expect.stringMatching(message) },
});

describe("an unknown parameter is refused, because ignoring it could do something that the caller did not want", () => {
  it("in the query of every list", async () => {
    const lists = calls.filter(({ isList }) => isList);
    expect(lists.length).toBeGreaterThan(9);
    for (const { method, path } of lists)
      expect(await refusal(method, `${path}?${required.get(path) ?? ""}nonsense=1`), path).toMatchObject(
        unknown("nonsense"),
      );
  });

  it("in the body of every call that changes something, and in its query", async () => {
    // Excluded: the body of an upload's signed URL is a file, and the standard for logouts lets an identity
    // provider add fields to its form.
    const changes = calls.filter(
      ({ method, path, isOperation }) =>
        method !== "GET" && !isOperation && !path.endsWith("/content") && path !== "/account/oidc/logout",
    );
    expect(changes.length).toBeGreaterThan(12);
    for (const { method, path } of changes) {
      const answer = await call(gateway, account.session, method, path, { nonsense: true });
      const error = answer.body.error as { details: { path: string }[] };
      expect(answer.status, `${method} ${path}`).toBe(400);
      expect(
        error.details.map((detail) => detail.path),
        `${method} ${path}`,
      ).toContain("/nonsense");
      expect(await refusal(method, `${path}?dry_run=true`), `${method} ${path}`).toMatchObject(
        unknown("dry_run"),
      );
    }
  });

  it("with a suggestion of the probable name", async () => {
    const retry = "/webhooks/deliveries/retry";
    expect(await refusal("POST", retry, { filter: { endpont_id: "we_1" } })).toMatchObject(
      unknown("filter.endpont_id", "did you mean endpoint_id?"),
    );
    expect(await refusal("POST", retry, { filter: {}, dryrun: true })).toMatchObject(
      unknown("dryrun", "did you mean dry_run?"),
    );
    expect(await refusal("GET", "/predictions?stauts=failed")).toMatchObject(
      unknown("stauts", "did you mean status?"),
    );
    expect(await refusal("POST", "/keys", { name: "x", spending: { token: 1 } })).toMatchObject(
      unknown("spending", /known are .*monthly_budget/),
    );
    expect(await refusal("POST", "/webhooks/deliveries/dlv_1/retry", { dry_run: true })).toMatchObject(
      unknown("dry_run", "has no body"),
    );
  });
});

it.each([
  ["/webhooks/deliveries?status=dead", "status"],
  ["/webhooks/deliveries?event_type=prediction.done", "event_type"],
  ["/webhooks/deliveries?error_code=timeouts", "error_code"],
  ["/webhooks/deliveries?status_class=6xx", "status_class"],
  ["/predictions?status=done", "status"],
  ["/predictions?api_type=video", "api_type"],
  ["/predictions?svc_region=mars", "svc_region"],
  ["/uploads?status=ready", "status"],
  ["/uploads?kind=text", "kind"],
  ["/requests?code=oops", "code"],
  ["/requests?actor=robot", "actor"],
  ["/audit_logs?action=key.made", "action"],
  ["/usage?from=yesterday", "from"],
  ["/models?modality=smell", "modality"],
])("%s: a filter with an unknown value is refused", async (path, param) => {
  expect(await refusal("GET", path)).toMatchObject({
    status: 400,
    error: { code: "invalid_parameter", param },
  });
});

it("a bulk retry with an unknown value of a filter sends nothing", async () => {
  const body = { filter: { status: "dead_letter" } };
  expect(await refusal("POST", "/webhooks/deliveries/retry", body)).toMatchObject({
    status: 400,
    error: { param: "filter.status" },
  });
});

it.each([
  ["POST", "/uploads", { content_type: "image/png", size_bytes: "10" }, "size_bytes must be a whole number"],
  ["POST", "/uploads", { content_type: "", size_bytes: 10 }, "content_type must not be empty"],
  ["POST", "/keys", { name: "" }, "name must not be empty"],
  ["GET", "/predictions?limit=many", undefined, "limit must be a whole number"],
  ["GET", "/models?modality=smell", undefined, "modality must be one of "],
  ["GET", "/predictions?created_after=now", undefined, "created_after must be a time, such as "],
])("%s %s explains the mistake in plain words", async (method, path, body, message) => {
  expect(await refusal(method, path, body)).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining(message) },
  });
});
