import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const ask = (method: string, path: string, body?: unknown) =>
  call(gateway, account.session, method, `/operator${path}`, body);
const newest = async () =>
  ((await ask("GET", "/changes")).body.data as { id: string; action: string }[])[0]?.id ?? "";

/** Makes the reading of the configuration fail, and nothing else, while `run` runs. */
async function withoutTable<Result>(table: string, run: () => Promise<Result>): Promise<Result> {
  const { database, configuration } = gateway.context;
  await database.pool.query(`alter table ${table} rename to ${table}_away`);
  try {
    return await run();
  } finally {
    await database.pool.query(`alter table ${table}_away rename to ${table}`);
    await configuration.refresh();
  }
}

const price = { model: "svc/chat-1", api_type: "chat-completions", components: [] };
const provider = {
  protocol: "openai",
  base_url: "https://up.example/v1",
  credentials: { "us-virginia": { key: "sk-of-a-test-0001" } },
};
const route = { models: ["svc/chat-2"], provider: "up", upstream_model: "m" };
const template = { model: "svc/chat-2", api_type: "chat-completions" };
let providerId = "";
let changeId = "";

/** Every way to change the configuration, ordered so that each has an object to change. */
const entrances: [string, () => ReturnType<typeof ask>, string?][] = [
  ["connect a provider", () => ask("POST", "/providers", { name: "up", ...provider })],
  ["change a provider", () => ask("PATCH", `/providers/${providerId}`, { settings: { media: "url" } })],
  ["set the routes", () => ask("PUT", "/routes", { routes: [route] })],
  [
    "map all models",
    () => ask("POST", "/routes/map", { provider: "up", upstream_model: "m", api_type: "chat-completions" }),
  ],
  ["make a model", () => ask("POST", "/models", { id: "acme/chat", template })],
  ["change a model", () => ask("PATCH", "/models/acme/chat", { description: "Ours" })],
  ["restore a revision", () => ask("POST", "/models/acme/chat/revisions/1/restore", {})],
  ["delete a model", () => ask("DELETE", "/models/acme/chat")],
  ["set a price", () => ask("POST", "/prices", price)],
  ["import prices", () => ask("POST", "/prices/import", { prices: [price, price] })],
  ["set a markup", () => ask("POST", "/markups", { percent: "10" }), "prices"],
  [
    "take over a file",
    () =>
      ask("POST", "/file", {
        file: { providers: { other: { ...provider, credentials: { "us-virginia": {} } } }, routes: [] },
      }),
  ],
  ["undo a change", () => ask("POST", `/changes/${changeId}/undo`)],
  ["remove a provider", () => ask("DELETE", `/providers/${providerId}`)],
];

it.each(entrances)(
  "%s: a saved change succeeds, even if it cannot be applied yet",
  async (_name, send, hidden = "markups") => {
    changeId = await newest();
    const { status, body, headers } = await withoutTable(hidden, send);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    if (body.object === "provider") providerId = String(body.id);
    expect(await newest()).not.toBe(changeId);
    expect(headers.get("x-svc-change-id")).toBe(await newest());
  },
);

it("forty changes at once are all made, one after the other, and all are in use when they are answered", {
  timeout: 120_000,
}, async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `acme/m${at}`);
  const create = async (id: string) => {
    const { status } = await ask("POST", "/models", { id, template });
    return [status, gateway.context.catalog.has(id, null)];
  };
  expect(await Promise.all(ids.map(create))).toEqual(ids.map(() => [201, true]));
});
