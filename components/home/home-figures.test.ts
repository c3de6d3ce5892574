import { expect, it } from "vitest";
import type { Summary } from "#contract/summary.ts";
import { english } from "@/scripts/testing/english";
import { homeFigures } from "./figures.tsx";

const none = { count: 0, more: false };
const summary: Summary = {
  object: "summary",
  since: "2026-11-20T10:00:00.000Z",
  predictions: {
    starting: none,
    processing: none,
    succeeded: { count: 3, more: false },
    failed: none,
    canceled: none,
  },
  deliveries: {
    pending: none,
    waiting: none,
    delivered: { count: 10, more: false },
    failed: none,
    "dead-letter": { count: 10_000, more: true },
    canceled: none,
  },
  first_steps: null,
};

it("shows the gateway's counts, each with a link to the list of the counted rows", () => {
  const figures = homeFigures(english("home"), english("pages"), summary).flatMap((group) => group.figures);
  expect(figures.map(({ label, href }) => [label, href])).toEqual([
    ["Starting", "/predictions?since=24h&status=starting"],
    ["Processing", "/predictions?since=24h&status=processing"],
    ["Succeeded", "/predictions?since=24h&status=succeeded"],
    ["Failed", "/predictions?since=24h&status=failed"],
    ["Canceled", "/predictions?since=24h&status=canceled"],
    ["Delivered", "/webhooks/deliveries?since=24h&status=delivered"],
    ["Failed", "/webhooks/deliveries?since=24h&status=failed"],
    ["Waiting", "/webhooks/deliveries?since=24h&status=waiting"],
    ["Dead letters", "/webhooks/deliveries?since=24h&status=dead-letter"],
  ]);
  expect(figures.find(({ label }) => label === "Delivered")?.count).toEqual({ count: 10, more: false });
});

it("shows no box of zeros", () => {
  const predictions = { starting: none, processing: none, succeeded: none, failed: none, canceled: none };
  expect(
    homeFigures(english("home"), english("pages"), { ...summary, predictions }).map(({ title }) => title),
  ).toEqual(["Deliveries"]);
});

it("leaves out counts that the gateway does not return to this caller", () => {
  expect(homeFigures(english("home"), english("pages"), { predictions: null, deliveries: null })).toEqual([]);
  const some = homeFigures(english("home"), english("pages"), {
    predictions: null,
    deliveries: { "dead-letter": { count: 100, more: true } },
  });
  expect(some.flatMap(({ figures }) => figures).map(({ label }) => label)).toEqual(["Dead letters"]);
});
