import { expect, it } from "vitest";
import type { Destination } from "#contract/copies.ts";
import { changeOf, creationOf, emptyDestination, valuesOfDestination } from "./destination-values.ts";

const destination: Destination = {
  id: "dst_1",
  object: "destination",
  name: "Gallery",
  endpoint_url: "https://s3.example.com",
  region: "eu-central-1",
  bucket: "gallery",
  prefix: "made/",
  path_style: true,
  access_key_id: "AK",
  secret_hint: "cret",
  automatic: "chosen",
  models: ["svc/a", "svc/b"],
  status: "active",
  last_copied_at: null,
  last_error: null,
  last_error_at: null,
  waiting_copies: 0,
  failed_copies: 0,
  created_at: "2026-11-20T10:00:00.000Z",
};

it("a change contains only the fields that differ, and the secret only when the user typed one", () => {
  const values = valuesOfDestination(destination);
  expect(changeOf(values, destination)).toEqual({});
  expect(changeOf({ ...values, name: "Other " }, destination)).toEqual({ name: "Other" });
  expect(changeOf({ ...values, automatic: "all" }, destination)).toEqual({ automatic: "all", models: [] });
  expect(changeOf({ ...values, secret_access_key: "new" }, destination)).toEqual({
    secret_access_key: "new",
  });
});

it("models are separated by line breaks or commas", () => {
  const values = { ...emptyDestination, automatic: "chosen" as const, models: "svc/a, svc/b\nsvc/a\n" };
  expect(creationOf(values)).toMatchObject({ automatic: "chosen", models: ["svc/a", "svc/b"] });
  expect(creationOf({ ...values, automatic: "off" })).toMatchObject({ automatic: "off", models: [] });
});
