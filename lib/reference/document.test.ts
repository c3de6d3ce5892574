import { expect, it } from "vitest";
import { listedSections, readOperation } from "./document.ts";

it("groups operations by tag and splits a body that differs for each catalog entry", () => {
  const document = {
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
  };
  const sections = listedSections(document);
  const [things, run] = sections.map(({ routes }) => readOperation(document, routes[0]?.id ?? ""));
  expect(sections.map(({ tag }) => tag)).toEqual(["Things", "Operations"]);
  expect(things?.parameters).toMatchObject({ required: ["id"] });
  expect(readOperation(document, "no such route")).toBeNull();
  expect(run?.bodies.map((body) => body.title)).toEqual(["svc/a:x", "svc/b:x"]);
  expect(run?.answers[0]?.status).toBe("Error");
  expect(run?.isPublic).toBe(true);
});
