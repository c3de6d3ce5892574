import { expect, it } from "vitest";
import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { localFailure } from "../gateway/result.ts";
import { stoppedOf } from "./stopped-endpoints.ts";

const list = { data: [{ id: "we_1" }], has_more: true } as List<Endpoint>;

it("counts all endpoints that the gateway stopped, also those that it does not name", () => {
  const total = { count: 3000, more: false };
  expect(stoppedOf({ ok: true, data: { ...list, total } })).toEqual({ ids: ["we_1"], count: 3000 });
  expect(stoppedOf({ ok: true, data: list })).toEqual({ ids: ["we_1"], count: 1 });
});

it("returns null if the gateway cannot list", () => {
  expect(stoppedOf({ ok: false, error: localFailure("route_not_found", "") })).toBeNull();
});
