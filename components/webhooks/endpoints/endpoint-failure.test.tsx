import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Attempt, Endpoint } from "#contract/webhook.ts";
import { EndpointAlert } from "./endpoint-alert.tsx";
import { EndpointFailure } from "./endpoint-failure.tsx";

afterEach(cleanup);

const endpoint = { status: "enabled", disabled_reason: null } as Endpoint;
const show = (attempt: Partial<Attempt>, lastSuccess: string | null, of = endpoint) =>
  render(
    <EndpointAlert
      endpoint={of}
      failure={
        <EndpointFailure
          deliveryId="dlv_1"
          attempt={attempt as Attempt}
          health={{ consecutive_failures: 64, last_success_at: lastSuccess }}
        />
      }
    />,
  );

it("begins with what the receiver answers, since when it fails, and what to do", () => {
  show(
    { response_status: 500, response_body: "no database", error_code: "http_5xx" },
    "2026-11-20T10:00:00Z",
  );
  expect(screen.getByRole("region", { name: "Why it fails" }).textContent).toBe(
    "The receiver answers 500: no database" +
      "64 attempts failed in a row; the last success was at 20 Nov 2026, 10:00:00 UTC. " +
      "See the response and the receiver's log. Open delivery",
  );
  expect(screen.getByRole("link").getAttribute("href")).toContain("/webhooks/deliveries/dlv_1");
});

it("names the error of a receiver that gives no answer", () => {
  show({ response_status: null, response_body: null, error_code: "connect_refused" }, null);
  expect(screen.getByRole("region").textContent).toMatch(/^Connection refused.*none has ever succeeded/);
});

it("says so of an endpoint that the gateway disabled too", () => {
  show({ response_status: 410, response_body: "", error_code: "http_4xx" }, null, {
    ...endpoint,
    status: "auto-disabled",
  });
  expect(screen.getByRole("alert").textContent).toMatch(
    /^The receiver answers 410.*then enable the endpoint/,
  );
});
