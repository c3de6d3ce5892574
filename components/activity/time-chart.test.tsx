import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ActivityList } from "#contract/activity.ts";
import { ActivityCharts, ActivityGroups, ActivityTotals, PickedStretch } from "./figures.tsx";
import { TimeChart } from "./time-chart.tsx";

vi.mock("next/navigation", () => ({
  usePathname: () => "/activity",
  useRouter: () => ({ push: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(cleanup);

const hourMs = 3_600_000;
const first = Date.parse("2026-11-20T10:00:00Z");
const percentiles = { p50: 120, p95: 900, p99: 1_500 };
const sum = {
  ...{ group: "svc/chat-1", runs: 10, errors: 1, errors_by_code: [{ code: "upstream_error", count: 1 }] },
  ...{ refused: 4, refused_by_code: [{ code: "invalid_json", count: 4 }] },
  ...{ bytes_in: 1, bytes_out: 2, tokens_in: 3, tokens_cached: 1, tokens_out: 4, tokens_per_second: 33.3 },
  ...{ latency_ms: percentiles, first_token_ms: percentiles, queue_ms: { p50: null, p95: null, p99: null } },
};
const list: ActivityList = {
  ...{
    object: "list",
    of: "runs",
    step: "hour",
    rows_kept_from: "2026-11-20T11:00:00.000Z",
    kept_from: null,
  },
  ...{ from: "2026-11-20T10:00:00.000Z", to: "2026-11-20T13:00:00.000Z" },
  data: [{ ...sum, group: null, at: "2026-11-20T11:00:00.000Z" }],
  groups: [sum, { ...sum, group: "*" }, { ...sum, group: null }],
  total: sum,
};

it("reads out the value at the keyboard's position, and selects a period with Shift and Enter", async () => {
  const onPick = vi.fn();
  render(
    <TimeChart
      label="Runs over time"
      steps={[0, 1, 2, 3].map((n) => first + n * hourMs)}
      step="hour"
      series={[{ name: "succeeded", tone: "accent", values: [1, 2, null, 4] }]}
      kind="bars"
      format={String}
      onPick={onPick}
      pickHint="opens them"
    />,
  );
  const chart = screen.getByRole("slider", { name: "Runs over time" });
  fireEvent.focus(chart);
  expect(chart.getAttribute("aria-valuetext")).toMatch(/succeeded 4$/);
  fireEvent.keyDown(chart, { key: "ArrowLeft" });
  expect(chart.getAttribute("aria-valuetext")).toMatch(/succeeded –$/);
  fireEvent.keyDown(chart, { key: "Home" });
  fireEvent.keyDown(chart, { key: "ArrowLeft" });
  expect(chart.getAttribute("aria-valuenow")).toBe("0");
  fireEvent.keyDown(chart, { key: "ArrowRight", shiftKey: true });
  fireEvent.keyDown(chart, { key: "Enter" });
  expect(onPick).toHaveBeenCalledWith({ from: first, to: first + 2 * hourMs });
  // The same numbers as a table, newest first. Steps without data are left out.
  const rows = await screen.findAllByRole("row", { hidden: true });
  expect(rows).toHaveLength(4);
  expect(rows[1]?.textContent).toMatch(/4$/);
});

it("draws the measured values, and names the rest group and the group without a name", async () => {
  render(
    <>
      <ActivityTotals total={sum} />
      <ActivityCharts runs={list} deliveries={list} onPick={() => undefined} />
      <ActivityGroups list={list} by="model" names={{}} />
    </>,
  );
  expect(screen.getAllByRole("slider")).toHaveLength(6);
  const cached = { name: "Cached share of the input over time, as a table", hidden: true };
  expect((await screen.findByRole("table", cached)).textContent).toContain("33 %");
  // No prediction waited in a queue, so a sentence replaces that chart.
  expect(screen.getByText("No data in this period: time in the queue.")).toBeTruthy();
  expect(screen.getByText("1 (10 %)")).toBeTruthy();
  const table = screen.getByRole("table", { name: "Figures by model" });
  expect(table.textContent).toContain("All others");
  expect(table.textContent).toContain("Refused before a model was known");
  expect(screen.getByRole("link", { name: "svc/chat-1" }).getAttribute("href")).toContain(
    "model=svc%2Fchat-1",
  );
});

it("links to the requests behind a bar, and shows which of them the history no longer has", () => {
  const picked = { from: first, to: first + hourMs, of: "runs" } as const;
  render(<PickedStretch picked={picked} list={list} onClear={() => undefined} />);
  expect(screen.getByRole("link", { name: "Open the requests" }).getAttribute("href")).toContain(
    "created_after=2026-11-20T10%3A00%3A00.000Z",
  );
  expect(screen.getByRole("status").textContent).toContain("no longer listed");
});
