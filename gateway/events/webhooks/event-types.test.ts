import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { eventTypeTable } from "#contract/event-types.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import { endpointObject } from "./news.ts";

test.each(eventTypes)("the example of %s fits its schema", (type) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { schema, example, description } = eventTypeTable[type];
  const validate = ajv.compile(schema);
  expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
  expect(description).toMatch(/^[A-Z].*\.$/);
});

test("events about an endpoint fit the schema", () => {
  const now = new Date();
  const row = {
    id: "we_1",
    url: "https://example.com",
    description: null,
    status: "disabled",
    disabledReason: "gone",
    consecutiveFailures: 1,
    failingSince: now,
    lastSuccessAt: null,
    lastFailureAt: now,
  };
  const { schema, example } = eventTypeTable["endpoint.disabled"];
  const body = { ...example, data: { object: endpointObject(row as never) } };
  expect(new Ajv2020({ strict: false, validateFormats: false }).validate(schema, body)).toBe(true);
});
