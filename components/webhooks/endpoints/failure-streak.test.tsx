import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Endpoint } from "#contract/webhook.ts";
import { FailureStreak } from "./endpoint-health.tsx";

const show = (status: string, consecutive_failures: number) =>
  render(<FailureStreak endpoint={{ status, health: { consecutive_failures } } as Endpoint} />);

afterEach(cleanup);

it("warns beside an enabled endpoint that accepts no event", () => {
  show("enabled", 1664);
  expect(screen.getByText("1,664 failures in a row")).toBeTruthy();
});

it.each([
  ["enabled", 2],
  ["auto-disabled", 664],
])("shows nothing beside an endpoint that is %s after %i failures", (status, failures) => {
  expect(show(status, failures).container.textContent).toBe("");
});
