import { describe, expect, it } from "vitest";
import type { NoticeGroup } from "#contract/notices.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { formatsOf } from "@/lib/format";
import { english } from "@/scripts/testing/english";
import { goesSoon, needsOf, refusalCauses } from "./needs.ts";

const none = { data: [], has_more: false };
const noEndpoints = { stopped: none, disabled: none, failing: none };
const nothing = {
  webhooks: english("webhooks"),
  deadLetters: { count: 0, more: false },
  endpoints: noEndpoints,
  refusals: [],
  expiring: [],
  troubledRegions: [],
  unansweredKeys: [],
  notices: [],
};
const endpoint = (id: string, status: string) =>
  ({ id, status, url: "https://hooks.example.com/a", disabled_reason: null }) as Endpoint;
const listed = (...data: Endpoint[]) => ({ data, has_more: false });
/** A list of which only the first endpoints were read. */
const firstOf = (count: number, ...data: Endpoint[]) => ({
  data,
  has_more: true,
  total: { count, more: false },
});

it("lists no problem when all is well, also not for an endpoint that a person disabled", () => {
  expect(
    needsOf(english("home"), formatsOf("en", "UTC"), {
      ...nothing,
      endpoints: { ...noEndpoints, disabled: listed(endpoint("we_2", "disabled")) },
    }),
  ).toEqual([]);
});

it("names a disabled endpoint with waiting deliveries", () => {
  const waiting = { ...endpoint("we_1", "disabled"), waiting_deliveries: 3 } as Endpoint;
  expect(
    needsOf(english("home"), formatsOf("en", "UTC"), {
      ...nothing,
      endpoints: { ...noEndpoints, disabled: listed(waiting) },
    }),
  ).toMatchObject([
    {
      tone: "warn",
      title: "3 deliveries wait for a disabled endpoint",
      action: { href: "/webhooks/endpoints/we_1" },
    },
  ]);
});

it("names an enabled endpoint that rejects every event", () => {
  const failing = endpoint("we_1", "enabled");
  expect(
    needsOf(english("home"), formatsOf("en", "UTC"), {
      ...nothing,
      endpoints: { ...noEndpoints, failing: listed(failing) },
    }),
  ).toMatchObject([
    {
      tone: "warn",
      detail: "hooks.example.com/a rejects every event.",
      action: { href: "/webhooks/endpoints/we_1" },
    },
  ]);
  const two = listed(failing, failing);
  expect(
    needsOf(english("home"), formatsOf("en", "UTC"), {
      ...nothing,
      endpoints: { ...noEndpoints, failing: two },
    }),
  ).toMatchObject([
    { title: "Check 2 endpoints", action: { href: "/webhooks/endpoints?status=failing&sort=failures" } },
  ]);
});

it("links each problem to the page that solves it, the worst problem first", () => {
  const expiring = [{ id: "pred_1", created_at: "2026-11-20T10:00:00.000Z" } as Prediction];
  const needs = needsOf(english("home"), formatsOf("en", "UTC"), {
    ...nothing,
    deadLetters: { count: 3, more: false },
    endpoints: { ...noEndpoints, stopped: listed(endpoint("we_1", "auto-disabled")) },
    expiring,
    troubledRegions: ["us-oregon"],
    unansweredKeys: [],
  });
  expect(needs.map(({ tone, action }) => [tone, action.href])).toEqual([
    ["bad", "/webhooks/endpoints/we_1"],
    ["bad", "/webhooks/deliveries?status=dead-letter&since=24h"],
    [
      "warn",
      "/predictions?status=succeeded&created_after=2026-11-20T09%3A59%3A59.999Z&created_before=2026-11-20T10%3A00%3A00.001Z",
    ],
    ["warn", "/status-and-regions"],
  ]);
  expect(needs[1]?.title).toBe("Retry 3 failed deliveries");
  expect(needs[2]?.saves).toBe(expiring);
});

it("shows that there are more dead letters than were counted", () => {
  const needs = needsOf(english("home"), formatsOf("en", "UTC"), {
    ...nothing,
    deadLetters: { count: 10_000, more: true },
  });
  expect(needs.map(({ title }) => title)).toEqual(["Retry 10,000+ failed deliveries"]);
});

it("names the service keys without a responsible person", () => {
  expect(
    needsOf(english("home"), formatsOf("en", "UTC"), { ...nothing, unansweredKeys: ["nightly", "renders"] }),
  ).toMatchObject([
    {
      title: "Take over 2 service keys",
      detail: expect.stringContaining("nightly, renders"),
      action: { href: "/settings/team" },
    },
  ]);
});

it("lists what only a notice says, as the bell does, and leaves out what the page finds itself", () => {
  const group = (cause: NoticeGroup["cause"]) =>
    ({
      key: cause,
      cause,
      title: `Title of ${cause}`,
      text: "Text",
      path: "/operator/health",
    }) as NoticeGroup;
  const notices = [group("load.high"), group("endpoint.failing"), group("batch.finished")];
  expect(needsOf(english("home"), formatsOf("en", "UTC"), { ...nothing, notices })).toMatchObject([
    { tone: "warn", title: "Title of load.high", detail: "Text", action: { href: "/operator/health" } },
  ]);
});

it("combines thousands of endpoints that fail, stopped or wait into one line each, with their number", () => {
  const failing = endpoint("we_failing", "enabled");
  const waiting = { ...endpoint("we_waiting", "disabled"), waiting_deliveries: 2 } as Endpoint;
  const needs = needsOf(english("home"), formatsOf("en", "UTC"), {
    ...nothing,
    endpoints: {
      stopped: firstOf(3000, endpoint("we_stopped", "auto-disabled")),
      disabled: firstOf(2000, ...Array.from({ length: 100 }, () => waiting)),
      failing: firstOf(1200, failing, failing),
    },
  });
  expect(needs.map(({ title, action }) => [title, action.href])).toEqual([
    ["Fix 3,000 endpoints and enable them again", "/webhooks/endpoints?status=auto-disabled"],
    ["200+ deliveries wait for 100+ disabled endpoints", "/webhooks/endpoints?status=disabled"],
    ["Check 1,200 endpoints", "/webhooks/endpoints?status=failing&sort=failures"],
  ]);
  expect(needs[2]?.detail).toContain("and 1,198 more reject every event");
});

describe("requests that are refused because of themselves", () => {
  const of = (group: string | null, runs: number, refused: number, codes = ["invalid_json"]) => ({
    ...{ group, name: group === "key_1" ? "build-agent" : null, runs, refused },
    refused_by_code: codes.map((code) => ({ code, count: refused / codes.length })),
  });
  const needsWith = (...refusals: ReturnType<typeof of>[]) =>
    needsOf(english("home"), formatsOf("en", "UTC"), {
      ...nothing,
      refusals: refusalCauses(refusals).map((cause) => ({ ...cause, why: `Why ${cause.code}` })),
    });

  it("are a problem of their key, with a link to exactly these requests", () => {
    expect(needsWith(of("key_1", 1, 9))).toMatchObject([
      {
        tone: "bad",
        title: "9 of 10 requests of key build-agent are refused: Why invalid_json",
        action: { href: "/requests?key_id=key_1&code=invalid_json&since=24h" },
      },
    ]);
  });

  it("are shown with the most frequent reason if there are several", () => {
    const [need] = needsWith(of("key_1", 4_000, 2_000, ["invalid_json", "model_not_found"]));
    expect(need).toMatchObject({
      tone: "warn",
      title: "2,000 of 6,000 requests of key build-agent are refused: Why invalid_json",
      detail: "1,000 for this reason, and 1 other reason.",
      action: { href: "/requests?key_id=key_1&status_class=4xx&since=24h" },
    });
  });

  it("also come from people and from many keys together", () => {
    const needs = needsWith(of("usr_1", 0, 8), of("*", 10, 30, ["model_not_found"]));
    expect(needs.map(({ title, action }) => [title, action.href])).toEqual([
      [
        "8 of 8 requests of the console are refused: Why invalid_json",
        "/requests?user_id=usr_1&code=invalid_json&since=24h",
      ],
      [
        "30 of 40 requests of other keys are refused: Why model_not_found",
        "/requests?code=model_not_found&since=24h",
      ],
    ]);
  });

  it("are one problem if several keys and people have the same reason", () => {
    expect(needsWith(of("key_1", 1, 9), of("usr_1", 0, 8), of("*", 10, 30))).toMatchObject([
      {
        title: "47 of 58 requests of key build-agent, the console and 1 more are refused: Why invalid_json",
        action: { href: "/requests?code=invalid_json&since=24h" },
      },
    ]);
  });

  it("are no problem if they are few", () => {
    expect(needsWith(of("key_1", 0, 4), of("key_2", 1_000, 100))).toEqual([]);
  });
});

it.each([
  [5, true],
  [20, false],
  [-1, false],
])("warns about files that will be removed within six hours: in %s hours", (hours, isSoon) => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  const expires_at = new Date(nowMs + hours * 3_600_000).toISOString();
  const prediction = { status: "succeeded", data_removed: false, expires_at } as Prediction;
  expect(goesSoon(prediction, nowMs)).toBe(isSoon);
  expect(goesSoon({ ...prediction, data_removed: true }, nowMs)).toBe(false);
});
