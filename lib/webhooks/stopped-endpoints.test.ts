import { expect, it } from "vitest";
import type { Endpoint } from "#contract/webhook.ts";
import { localFailure } from "../gateway/result.ts";
import { stoppedOf } from "./stopped-endpoints.ts";

const endpoint = (id: string, status: string) => ({ id, status }) as Endpoint;

it("names endpoints that the gateway disabled, not those that a person disabled", () => {
  const data = [endpoint("we_1", "auto-disabled"), endpoint("we_2", "disabled"), endpoint("we_3", "enabled")];
  const list = { object: "list" as const, data, has_more: false, first_id: "we_1", last_id: "we_3" };
  expect(stoppedOf({ ok: true, data: list })).toEqual(["we_1"]);
});

it("returns null if the gateway cannot list", () => {
  expect(stoppedOf({ ok: false, error: localFailure("route_not_found", "") })).toBeNull();
});
