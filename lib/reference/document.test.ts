import { expect, it } from "vitest";
import { referenceOf } from "./document.ts";

it("groups operations by tag and splits a body that differs per entry", () => {
  const groups = referenceOf({
    info: { version: "1" },
    paths: {
      "/v1/things/{id}": {
        get: { summary: "Read", tags: ["Things"], parameters: [{ name: "id", in: "path", required: true }] },
      },
      "/v1/run": {
        post: {
          summary: "Run",
          tags: ["Operations"],
          security: [],
          requestBody: {
            content: {
              "application/json": { schema: { oneOf: [{ title: "svc/a:x" }, { title: "svc/b:x" }] } },
            },
          },
          responses: { default: { description: "An error" } },
        },
      },
    },
  });
  expect(groups.map((group) => group.tag)).toEqual(["Things", "Operations"]);
  expect(groups[0]?.operations[0]?.parameters).toMatchObject({ required: ["id"] });
  const run = groups[1]?.operations[0];
  expect(run?.bodies.map((body) => body.title)).toEqual(["svc/a:x", "svc/b:x"]);
  expect(run?.answers[0]?.status).toBe("Error");
  expect(run?.isPublic).toBe(true);
});
