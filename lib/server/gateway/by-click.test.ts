import { beforeEach, expect, it, vi } from "vitest";
import type { Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";
import { callByClick } from "./by-click.ts";

const sent = vi.hoisted(() => vi.fn());
vi.mock("./request.ts", () => ({
  requestGateway: async (path: string, call: object) => {
    sent(path, call);
    return { ok: true, data: {} };
  },
}));

beforeEach(() => sent.mockReset());

const entries = Object.entries<Route>(routes);
const marked = entries.filter(([, { byClick }]) => byClick);
const unmarked = entries.filter(([, { byClick }]) => !byClick).map(([name]) => name);
const inherited = Object.getOwnPropertyNames(Object.prototype);

/** A value for each parameter of a path. */
const anyParams = (name: string) =>
  Object.fromEntries([...name.matchAll(/\{(\w+)\}/g)].map(([, param]) => [param, "some_1"]));

it.each([...unmarked, ...inherited, "GET /no-such-route", "", " ", null, undefined, 7, ["GET /keys"], {}])(
  "refuses %j, which is not marked",
  async (name) => {
    const call = { params: anyParams(String(name)), body: {} };
    expect(await callByClick(name, call)).toMatchObject({ ok: false, error: { code: "route_not_found" } });
    expect(sent).not.toHaveBeenCalled();
  },
);

it("sends the parameters and body of a marked route", async () => {
  const call = { params: { id: "als 1?#%" }, body: { name: "fast", metadata: undefined } };
  await callByClick("DELETE /aliases/{id}", { params: { id: "als 1?#%" } });
  expect(sent).toHaveBeenLastCalledWith("/aliases/als%201%3F%23%25", { method: "DELETE", query: {} });
  await callByClick("PATCH /presets/{id}", { ...call, idempotencyKey: "once" });
  expect(sent).toHaveBeenLastCalledWith("/presets/als%201%3F%23%25", {
    method: "PATCH",
    query: {},
    body: { name: "fast" },
    headers: { "idempotency-key": "once" },
  });
});

it.each([
  "..",
  ".",
  "",
  "a/b",
  "a\\b",
  "../keys",
  "\ud800",
  7,
  null,
  undefined,
  ["a"],
  { toString: () => "a" },
])("refuses the parameter %j", async (id) => {
  expect(await callByClick("DELETE /keys/{id}", { params: { id } })).toMatchObject({
    ok: false,
    error: { status: 404, code: "route_not_found" },
  });
  expect(sent).not.toHaveBeenCalled();
});

it.each<unknown>([undefined, null, "id", {}, { constructor: "a" }])(
  "refuses %j when a parameter is needed",
  async (params) => {
    expect(await callByClick("DELETE /keys/{id}", { params })).toMatchObject({
      error: { code: "route_not_found" },
    });
    expect(sent).not.toHaveBeenCalled();
  },
);

it.each([
  [{ named: "x" }, { code: "missing_parameter", param: "name" }],
  [{ name: "x".repeat(201) }, { code: "invalid_parameter", param: "name" }],
  ["a text", { code: "invalid_parameter", message: "The body must be an object" }],
  [new Map([["name", "x"]]), { code: "missing_parameter" }],
])("refuses the body %j, as the gateway would", async (body, error) => {
  expect(await callByClick("POST /account/deletion", { body })).toMatchObject({ ok: false, error });
  expect(sent).not.toHaveBeenCalled();
});

it("refuses a body that is not JSON", async () => {
  const call = { body: { name: 1n } };
  expect(await callByClick("POST /account/deletion", call)).toMatchObject({
    error: { code: "invalid_json" },
  });
  expect(sent).not.toHaveBeenCalled();
});

it("refuses a body when the route has none", async () => {
  const call = { params: { id: "key_1" }, body: { all: true } };
  expect(await callByClick("DELETE /keys/{id}", call)).toMatchObject({
    error: { code: "invalid_parameter" },
  });
  expect(sent).not.toHaveBeenCalled();
});

/** Routes with an answer that is shown only once, or that grants access. */
const secretNames = ["secret", "token", "ticket", "codes", "recovery_codes", "qr_svg", "redirect_url"];
const isSecret = (name: string, { type }: { type?: string }) =>
  secretNames.includes(name) && (type === "string" || type === "array");

function secretsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const properties = Object.entries((schema as { properties?: object }).properties ?? {});
  const own = properties.filter(([name, value]) => isSecret(name, value)).map(([name]) => name);
  return [...own, ...Object.values(schema).flatMap(secretsIn)];
}

it.each(marked)("%s neither answers with a secret nor opens a session", (_, { answers, replayed }) => {
  expect(replayed).toBeUndefined();
  expect(secretsIn(answers)).toEqual([]);
});

it.each(["POST /outputs/{id}/shares", "POST /account/invitations", "POST /account/members/{user_id}/reset"])(
  "%s answers with a link, so a separate action calls it",
  (name) => expect(unmarked).toContain(name),
);
