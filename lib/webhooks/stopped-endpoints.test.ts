import { expect, it } from "vitest";
import type { Endpoint } from "#contract/webhook.ts";
import { localFailure } from "../gateway/result.ts";
import { everyEndpoint, stoppedOf } from "./stopped-endpoints.ts";

const endpoint = (id: string, status: string) => ({ id, status }) as Endpoint;

it("names endpoints that the gateway disabled, not those that a person disabled", () => {
  const data = [endpoint("we_1", "auto-disabled"), endpoint("we_2", "disabled"), endpoint("we_3", "enabled")];
  expect(stoppedOf({ ok: true, data })).toEqual(["we_1"]);
});

it("reads every page, so that more than a hundred endpoints are counted correctly", async () => {
  const all = Array.from({ length: 230 }, (_, index) => endpoint(`we_${index}`, "auto-disabled"));
  const read = async ({ limit, after = "we_-1" }: { limit: number; after?: string }) => {
    const start = all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(start, start + limit);
    const last_id = data.at(-1)?.id ?? null;
    return {
      ok: true as const,
      data: { object: "list" as const, data, has_more: start + limit < all.length, first_id: null, last_id },
    };
  };
  expect(stoppedOf(await everyEndpoint(read))).toHaveLength(230);
});

it("returns null if the gateway cannot list", () => {
  expect(stoppedOf({ ok: false, error: localFailure("route_not_found", "") })).toBeNull();
});
