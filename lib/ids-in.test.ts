import { expect, it } from "vitest";
import { idsIn } from "./ids-in.ts";

const event = "evt_01jd0000000000000000000001";
const delivery = "dlv_01jd0000000000000000000002";

it.each([
  ["the id alone", ` ${event}\n`],
  ["in capitals", event.toUpperCase()],
  ["a field of JSON", `"id":"${event}",`],
  ["a header", `x-svc-event-id: ${event}`],
  ["an address", `https://console.example.com/webhooks/deliveries?event_id=${event}&status=failed`],
])("finds %s", (_, text) => {
  expect(idsIn(text)).toEqual([event]);
});

it("finds several ids in order, and no text that only looks like an id", () => {
  expect(idsIn(`${delivery} of ${event}`)).toEqual([delivery, event]);
  expect(idsIn(`evt_01jd x${event}0 customer=acme`)).toEqual([]);
});
