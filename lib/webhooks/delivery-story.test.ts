import { describe, expect, it } from "vitest";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { localFailure } from "../gateway/result.ts";
import { loadDeliveryStory, type StoryReads } from "./delivery-story.ts";

const delivery = (id: string) => ({ id, event_id: "evt_1", endpoint_id: "we_1" }) as Delivery;
const detail = (id: string) => ({ ...delivery(id), gated: null, attempt_log: [] }) as DeliveryDetail;
const fail = async (code: string) => ({
  ok: false as const,
  error: { ...localFailure(code, code), status: 404 },
});
const listOf = async (...ids: string[]) => ({
  ok: true as const,
  data: { object: "list" as const, data: ids.map(delivery), has_more: false, first_id: null, last_id: null },
});

const full: StoryReads = {
  one: async (id) => ({ ok: true, data: detail(id) }),
  list: () => listOf("dlv_3", "dlv_2", "dlv_1"),
};

describe("loadDeliveryStory", () => {
  it("contains every delivery of the event to the endpoint, oldest first, with its attempts", async () => {
    const story = await loadDeliveryStory(full, "dlv_2");
    expect(story.ok && story.data.sends.map((send) => send.id)).toEqual(["dlv_1", "dlv_2", "dlv_3"]);
    expect(story.ok && story.data.sends.every((send) => "attempt_log" in send)).toBe(true);
  });

  it("uses the list's row if the gateway has no route for a single delivery", async () => {
    const story = await loadDeliveryStory({ ...full, one: () => fail("route_not_found") }, "dlv_1");
    expect(story).toMatchObject({ ok: true, data: { hasLogs: false, delivery: { id: "dlv_1" } } });
  });

  it("finds nothing when neither the route nor the list has the id", async () => {
    const reads = { one: () => fail("route_not_found"), list: () => listOf() };
    expect(await loadDeliveryStory(reads, "dlv_9")).toMatchObject({ error: { code: "delivery_not_found" } });
  });

  it("keeps the known deliveries when a later reading gets no list or no attempts", async () => {
    const reads: StoryReads = {
      one: async (id) => (id === "dlv_2" ? { ok: true, data: detail(id) } : fail("rate_limited")),
      list: () => fail("rate_limited"),
    };
    const story = await loadDeliveryStory(reads, "dlv_2", [detail("dlv_1"), detail("dlv_2")]);
    expect(story.ok && story.data.sends).toEqual([detail("dlv_1"), detail("dlv_2")]);
  });

  it("passes other failures on", async () => {
    const story = await loadDeliveryStory({ ...full, one: () => fail("delivery_not_found") }, "dlv_1");
    expect(story).toMatchObject({ ok: false, error: { code: "delivery_not_found" } });
  });
});
