import fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { App } from "#gateway/platform/http/app.ts";
import { CheckedAnswers } from "./checked-answers.ts";

const thing = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const paths = {
  "/things": { get: { tags: ["Things"], responses: { 200: json(thing), 304: { description: "" } } } },
};

const answers = new CheckedAnswers();
const app: App = fastify();
beforeAll(async () => {
  answers.observe(app, async () => ({ paths }));
  app.get<{ Querystring: { answer: string } }>("/things", ({ query }, reply) => {
    const { status, type, body } = JSON.parse(query.answer);
    if (type) reply.type(type);
    return reply.code(status).send(body);
  });
  app.get("/secret", () => ({}));
});
afterAll(() => app.close());

const complaint = async (url: string) => {
  await app.inject(url);
  try {
    answers.refuseUndescribed();
    return null;
  } catch (error) {
    return String(error);
  }
};
const things = (answer: object) => `/things?answer=${encodeURIComponent(JSON.stringify(answer))}`;

it("accepts answers that the document describes, and names every other one", async () => {
  expect(await complaint(things({ status: 200, body: { id: "a" } }))).toBeNull();
  expect(await complaint(things({ status: 304 }))).toBeNull();
  expect(await complaint(things({ status: 200, body: {} }))).toContain("required property 'id'");
  expect(await complaint(things({ status: 200, body: { id: "a", more: 1 } }))).toContain(
    "additional properties",
  );
  expect(await complaint(things({ status: 201, body: { id: "a" } }))).toContain(
    "201 application/json (the status)",
  );
  expect(await complaint(things({ status: 200, type: "text/csv", body: "a" }))).toContain(
    "(the content type)",
  );
  expect(await complaint("/secret")).toContain("GET /secret: 200 application/json (the route)");
});
