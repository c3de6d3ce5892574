import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { AttemptsChart } from "./attempts-chart.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const onNarrow = vi.fn();
function show(filters: Record<string, string>, answer: object) {
  const asked = vi.fn((_: string) => Promise.resolve(Response.json(answer)));
  vi.stubGlobal("fetch", asked);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AttemptsChart view={deliveryList.viewOf(filters)} onNarrow={onNarrow} />
    </QueryClientProvider>,
  );
  return asked;
}
const chart = () => screen.findByRole("slider", { name: "Attempts over time" });

it("counts accepted and failed attempts of the period, and narrows the list to a part of it", async () => {
  const period = { from: "2026-11-20T10:00:00.000Z", to: "2026-11-20T12:00:00.000Z", step: "hour" };
  const data = [{ at: "2026-11-20T11:00:00.000Z", runs: 12, errors: 5 }];
  const asked = show(
    { created_after: period.from, created_before: period.to, status_class: "5xx" },
    { ...period, data },
  );
  const slider = await chart();
  expect(slider.getAttribute("aria-valuetext")).toMatch(/attempts accepted 7, attempts failed 5/);
  expect(asked.mock.calls[0]?.[0]).toMatch(/activity\?.*status_class=5xx.*of=deliveries/);
  fireEvent.keyDown(slider, { key: "Enter" });
  expect(onNarrow).toHaveBeenCalledWith("2026-11-20T11:00:00.000Z", "2026-11-20T12:00:00.000Z");
});

it.each([{ event_type: "prediction.failed" }, { endpoint_id: "we_1" }, { status: "dead-letter" }])(
  "says that there is no chart for what is not counted: %o",
  (filters) => {
    const asked = show(filters as unknown as Record<string, string>, {});
    screen.getByText(/^There is no chart for these filters/);
    expect(asked).not.toHaveBeenCalled();
  },
);
