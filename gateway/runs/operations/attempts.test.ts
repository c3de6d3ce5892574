import { describe, expect, test } from "vitest";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type Ask, nextStep, type RequestState, type Route, reasonToGoOn } from "./attempts.ts";
import { asApiError } from "./dispatch.ts";

/** The rules of docs/failover.md, "When an upstream fails", one row for each situation. */

const text = ["busy", "down", "too_long", "failed", "slow"] as const;
const media = ["busy", "down", "too_long"] as const;
const patience = { firstTokenMs: 10_000, nextTokenMs: 25_000 };

const here: Route["deployment"] = { isLast: true, closed: null, freeElsewhere: 0 };
const route = (changes: Partial<Route> = {}): Route => ({
  provider: {},
  deployment: here,
  freeBeside: 0,
  unable: null,
  resting: null,
  hasKey: true,
  goOnWhen: text,
  ...changes,
});
const one = [route()];
const two = [route({ freeBeside: 1 }), route()];
const chats = [route({ provider: { patience }, freeBeside: 1 }), route({ provider: { patience } })];

function waits(waitForRetryAfterMs: number): Route {
  return route({ provider: { waitForRetryAfterMs }, freeBeside: 1 });
}

function rests(failure: ProviderError, goOnWhen: Route["goOnWhen"] = text): Route {
  return route({ resting: asApiError(failure), goOnWhen });
}

function unable(): Route {
  return route({ unable: new ApiError("service_unavailable", "Not supported.") });
}

const unhealthy = { ...here, closed: new ApiError("no_healthy_region", "Not healthy.") };
function closed(): Route {
  return route({ deployment: unhealthy });
}

const reset = new ProviderError("upstream_error", "The connection was reset.", { started: "unknown" });
const refused = new ProviderError("service_unavailable", "No connection.", { started: "no" });
const status = (code: 500 | 502 | 503 | 504, started: "no" | "unknown" = "unknown") =>
  new ProviderError("upstream_error", `It answered ${code}.`, { started, status: code });
const nonsense = new ProviderError("upstream_invalid_response", "No JSON.", { started: "yes" });
const silence = new ProviderError("upstream_timeout", "Silent.", { started: "unknown" });
const cut = (final = false) =>
  new ProviderError("upstream_stream_interrupted", "It ended early.", { started: "yes", final });
const unavailable = (retryAfterMs: number) =>
  new ProviderError("service_unavailable", "Later.", { started: "no", status: 503, retryAfterMs });
const unpaid = new ProviderError("service_unavailable", "The bill is not paid.", {
  started: "no",
  status: 503,
  refusesKey: true,
});
const limited = (retryAfterMs?: number) =>
  new ProviderError("upstream_rate_limited", "Slow down.", {
    started: "no",
    status: 429,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
const tooLong = new ProviderError("input_too_large", "Too long.", { started: "no", status: 400 });
const badInput = new ProviderError("invalid_parameter", "No such size.", { started: "no", status: 400 });
const badKey = new ProviderError("service_unavailable", "The key is refused.", {
  started: "no",
  status: 401,
  refusesKey: true,
});

interface Situation extends Partial<Omit<RequestState, "route" | "failed" | "attempts">> {
  routes?: readonly Route[];
  /** The failure of the first route. */
  fails?: ProviderError;
  isOfKey?: boolean;
  hasWaited?: boolean;
  triesLeft?: number;
  hasContent?: boolean;
  /** Free routes of the alias's later models. */
  freeLater?: number;
}

function decide({
  routes = one,
  fails,
  isOfKey = false,
  hasWaited = false,
  triesLeft = 5,
  hasContent = false,
  freeLater = 0,
  ...state
}: Situation) {
  const { runsTwice = true } = state;
  const failure = fails && asApiError(fails);
  const failed = failure && {
    failure,
    cause: fails,
    reason: reasonToGoOn(failure, runsTwice),
    isOfKey,
    hasWaited,
  };
  const step = nextStep(
    {
      route: (place) => routes[place],
      place: fails ? 0 : -1,
      tried: fails ? 1 : 0,
      failed: failed ?? null,
      mayWait: { allowed: true, passed: true },
      attempts: { triesLeft, hasContent, freeLater: () => freeLater },
      runsTwice,
      isCallerGone: false,
      ...state,
    },
    () => 0.5,
  );
  return step.do === "stop" ? { ...step, failure: step.failure?.message ?? null } : step;
}

const ask = (place: number, tried = place + 1): Partial<Ask> => ({ do: "ask", place, tried });
const wait = (ms: number, until: "allowed" | "passed") => ({ do: "wait", ms, until });
const stop = (failure: string | null) => ({ do: "stop", failure });
/** In the middle of 0.1 to 0.3 seconds. */
const soon = wait(200, "passed");

type Row = [situation: string, state: Situation, step: object];

/** Waiting was tried already: only what follows is of interest. */
const asked = { allowed: false, passed: false };

describe.each<[rule: string, rows: Row[]]>([
  [
    "1. Text may be sent twice",
    [
      ["the first call", { routes: two }, ask(0)],
      ["a reset before a byte: the same route once more", { routes: two, fails: reset }, soon],
      ["no connection: the same route once more", { routes: two, fails: refused }, soon],
      ["a stream that ends before its first event: the same route", { routes: two, fails: cut() }, soon],
      ["500: the same route once more", { routes: two, fails: status(500) }, soon],
      ["502: the same route once more", { routes: two, fails: status(502) }, soon],
      ["503: the same route once more", { routes: two, fails: status(503, "no") }, soon],
      ["504: the same route once more", { routes: two, fails: status(504) }, soon],
      ["after the wait", { routes: two, fails: reset, hasWaited: true }, ask(0)],
      ["it fails again: the next route", { routes: two, fails: reset, mayWait: asked }, ask(1)],
      ["it was the only route", { fails: reset, mayWait: asked }, stop(reset.message)],
      ["a time-out: the next route at once", { routes: two, fails: silence }, ask(1)],
      ["an answer without sense: the next route at once", { routes: two, fails: nonsense }, ask(1)],
      [
        "a failure that a second call cannot pass: the next route at once",
        { routes: two, fails: cut(true) },
        ask(1),
      ],
      ["503 with a Retry-After: the next route at once", { routes: two, fails: unavailable(60_000) }, ask(1)],
      ["503 for an unpaid bill: the next route at once", { routes: two, fails: unpaid }, ask(1)],
      ["the input is too long for the model", { routes: two, fails: tooLong }, ask(1)],
      ["the input is refused", { routes: two, fails: badInput }, stop(badInput.message)],
      [
        "tools that run at the upstream: never after it may have begun",
        { routes: two, fails: reset, runsTwice: false },
        stop(reset.message),
      ],
      [
        "media: the next route if it certainly did not begin, without a second call",
        {
          routes: [route({ goOnWhen: media }), route({ goOnWhen: media })],
          fails: refused,
          runsTwice: false,
        },
        ask(1),
      ],
      [
        "media after 500 from a provider that did not begin: only with `failed` in go_on_when",
        { routes: [route({ goOnWhen: media }), route()], fails: status(500, "no"), runsTwice: false },
        stop("It answered 500."),
      ],
      [
        "the same with `failed` in go_on_when",
        { routes: [route({ freeBeside: 1 }), route()], fails: status(500, "no"), runsTwice: false },
        ask(1),
      ],
      [
        "go_on_when without this reason",
        { routes: [route({ goOnWhen: ["busy"] }), route()], fails: reset },
        stop(reset.message),
      ],
      [
        "go_on_when []: no second try at all",
        { routes: [route({ goOnWhen: [] }), route()], fails: limited(10) },
        stop("Slow down."),
      ],
    ],
  ],
  [
    "2. Silence is a failure while another upstream is free",
    [
      ["another route is free", { routes: chats }, { isLeftWhenSilent: true }],
      ["no other route", { routes: [chats[1] ?? route()] }, { isLeftWhenSilent: false }],
      ["another model is free", { routes: [chats[1] ?? route()], freeLater: 1 }, { isLeftWhenSilent: true }],
      [
        "another region is free",
        {
          routes: [route({ provider: { patience }, deployment: { ...here, freeElsewhere: 1 } })],
        },
        { isLeftWhenSilent: true },
      ],
      ["a route without limits", { routes: two }, { isLeftWhenSilent: false }],
      ["the last try of the budget", { routes: chats, triesLeft: 1 }, { isLeftWhenSilent: false }],
      ["work that must not run twice", { routes: chats, runsTwice: false }, { isLeftWhenSilent: false }],
      [
        "go_on_when without `slow`",
        { routes: [route({ provider: { patience }, freeBeside: 1, goOnWhen: ["busy"] }), route()] },
        { isLeftWhenSilent: false },
      ],
      ["it was silent: never the same route again", { routes: chats, fails: silence }, ask(1)],
      ["it was silent, and nobody is left", { fails: silence }, stop("Silent.")],
    ],
  ],
  [
    "4. One budget",
    [
      ["tries used up", { routes: two, fails: silence, triesLeft: 0 }, stop("Silent.")],
      ["time over, before a second call", { routes: two, fails: reset, triesLeft: 0 }, stop(reset.message)],
      [
        "time over, with another key",
        { routes: two, fails: badKey, isOfKey: true, triesLeft: 0 },
        stop(badKey.message),
      ],
      ["the last try is kept for another route", { routes: two, fails: reset, triesLeft: 1 }, ask(1)],
      [
        "the last try is kept for another model",
        { fails: reset, triesLeft: 1, freeLater: 1 },
        stop(reset.message),
      ],
      ["the last try, and no other route", { fails: reset, triesLeft: 1 }, soon],
      [
        "two tries, and three other routes: one of them is kept",
        { routes: [route({ freeBeside: 2 })], fails: reset, triesLeft: 2, freeLater: 1 },
        soon,
      ],
      ["the first call to a next model, even if the time is over meanwhile", { triesLeft: 0 }, ask(0)],
      [
        "three routes in each region",
        { routes: [route(), route(), route()], place: 2, tried: 3, fails: silence },
        stop("Silent."),
      ],
      [
        "the fourth route of a region is passed by",
        {
          routes: [route(), route(), route(), route(), route({ deployment: { ...here } })],
          place: 2,
          tried: 3,
          fails: silence,
        },
        ask(4, 1),
      ],
    ],
  ],
  [
    "4. A further key leaves one try for each of the others",
    [
      ["key refused: the next key", { routes: two, fails: badKey, isOfKey: true }, ask(0, 1)],
      ["key limited: the next key", { routes: two, fails: limited(60_000), isOfKey: true }, ask(0, 1)],
      [
        "key refused, no other key: the next route",
        { routes: [route({ hasKey: false, freeBeside: 1 }), route()], fails: badKey, isOfKey: true },
        ask(1),
      ],
      [
        "key refused, one try for the other route",
        { routes: two, fails: badKey, isOfKey: true, triesLeft: 1 },
        ask(1),
      ],
      [
        "key refused, two tries for two other models",
        { fails: badKey, isOfKey: true, triesLeft: 2, freeLater: 2 },
        stop(badKey.message),
      ],
      [
        "key refused, and the region allows no other route",
        { routes: [route({ freeBeside: 2 })], tried: 3, fails: badKey, isOfKey: true, triesLeft: 1 },
        ask(0, 3),
      ],
      ["the only key is refused: the next route at once", { routes: two, fails: badKey }, ask(1)],
    ],
  ],
  [
    "wait_for_retry_after_ms",
    [
      [
        "429 with a short wait",
        { routes: [waits(3000), route()], fails: limited(2000) },
        wait(2000, "allowed"),
      ],
      [
        "429 with a longer wait: the next route",
        { routes: [waits(1000), route()], fails: limited(2000) },
        ask(1),
      ],
      ["429 without a time: the next route", { routes: [waits(1000), route()], fails: limited() }, ask(1)],
      ["a route that does not wait: the next route", { routes: two, fails: limited(2000) }, ask(1)],
      ["after the wait", { routes: [waits(3000), route()], fails: limited(2000), hasWaited: true }, ask(0)],
      [
        "after the wait, all keys are taken",
        { routes: [route({ hasKey: false }), route()], fails: limited(2000), hasWaited: true },
        ask(1),
      ],
      [
        "a second 429: the next route",
        { routes: [waits(3000), route()], fails: limited(2000), mayWait: asked },
        ask(1),
      ],
      [
        "media wait too, because a 429 has begun nothing",
        { routes: [waits(3000)], fails: limited(9), runsTwice: false },
        wait(9, "allowed"),
      ],
    ],
  ],
  [
    "5. An upstream that works again is used again",
    [
      ["a probe is called only once", { routes: two, fails: reset, mayWait: asked }, ask(1)],
      ["nobody else can answer: no early probe", { routes: one }, { isSpared: false }],
      ["another model can answer: an early probe", { freeLater: 1 }, { isSpared: true }],
      [
        "another region follows: an early probe",
        { routes: [route({ deployment: { ...here, isLast: false } })] },
        { isSpared: true },
      ],
      ["media never probe early", { freeLater: 1, runsTwice: false }, { isSpared: false }],
      [
        "breaker open: the routes of the next region",
        { routes: [closed(), closed(), route({ deployment: { ...here } })] },
        ask(2, 1),
      ],
      ["breaker open everywhere", { routes: [closed()] }, stop("Not healthy.")],
      [
        "breaker open after a failure elsewhere: that failure",
        { routes: [route(), closed()], fails: silence },
        stop("Silent."),
      ],
    ],
  ],
  [
    "6. A stream that breaks after its first content",
    [
      [
        "content was sent: no second call",
        { routes: two, fails: reset, hasContent: true },
        stop(reset.message),
      ],
      [
        "content was sent: no other key",
        { routes: two, fails: badKey, isOfKey: true, hasContent: true },
        stop(badKey.message),
      ],
    ],
  ],
  [
    "Routes that cannot be called now",
    [
      ["one that requested a pause is passed by", { routes: [rests(limited(5000)), route()] }, ask(1, 1)],
      ["all of them rest: the time that is left", { routes: [rests(limited(5000))] }, stop("Slow down.")],
      [
        "one that rests, and go_on_when without `busy`",
        { routes: [rests(limited(5000), ["down"]), route()] },
        stop("Slow down."),
      ],
      [
        "an earlier failure is the one that is reported",
        { routes: [route(), rests(limited())], fails: silence },
        stop("Silent."),
      ],
      ["one that never runs the operation counts as tried", { routes: [unable(), route()] }, ask(1, 2)],
      ["only routes that never run it", { routes: [unable()] }, stop("Not supported.")],
      [
        "a failure, then one that never runs it",
        { routes: [route(), unable()], fails: silence },
        stop("Not supported."),
      ],
      ["no route", { routes: [] }, stop(null)],
    ],
  ],
  [
    "The caller has left",
    [["during the wait", { routes: two, fails: reset, hasWaited: true, isCallerGone: true }, stop(null)]],
  ],
])("%s", (_rule, rows) => {
  test.each(rows)("%s", (_situation, state, step) => {
    expect(decide(state)).toMatchObject(step);
  });
});
