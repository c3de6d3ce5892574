import { expect, it } from "vitest";
import type { Delivery } from "#contract/webhook.ts";
import { failingGroups } from "./failing-groups.ts";

const delivery = (id: string, endpoint_id: string, more: Partial<Delivery> = {}) =>
  ({
    id,
    endpoint_id,
    status: "dead-letter",
    retried_as: null,
    created_at: "2026-11-20T10:00:00.000Z",
    ...more,
  }) as Delivery;

it("makes one line of the dead letters of an endpoint, with their number and a list of just these", () => {
  const six = Array.from({ length: 6 }, (_, index) => delivery(`dlv_${index}`, "we_1"));
  const other = delivery("dlv_other", "we_2", { created_at: "2026-11-20T11:00:00.000Z" });
  expect(failingGroups([...six, other]).map(({ count, href }) => [count, href])).toEqual([
    [1, "/webhooks/deliveries/dlv_other"],
    [6, "/webhooks/deliveries?since=24h&status=dead-letter&endpoint_id=we_1"],
  ]);
});

it("leaves out what was retried, what arrived, and a row that two lists have", () => {
  const twice = delivery("dlv_1", "we_1");
  const retried = delivery("dlv_2", "we_1", { retried_as: "dlv_3" });
  const arrived = delivery("dlv_4", "we_1", { status: "delivered" });
  expect(failingGroups([twice, twice, retried, arrived]).map(({ count }) => count)).toEqual([1]);
});
