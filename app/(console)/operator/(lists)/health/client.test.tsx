import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import type { HealthReport } from "#contract/operator/health.ts";
import { localFailure } from "@/lib/gateway/result";
import { HealthClient } from "./client.tsx";

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({}),
  useSearchParams: () => new URLSearchParams(),
}));

const message = "The gateway's database is unavailable (since 2026-11-28T20:41:07Z). Try again soon.";
const failure = { ...localFailure("service_unavailable", message), status: 503 };
const report: HealthReport = {
  object: "list",
  data: [],
  minutes: 60,
  since: "2026-11-28T19:41:07.000Z",
  quiet: false,
  store_full_since: null,
  database_full_since: null,
  audit_stream: {
    ...{ waiting: 2, lag_seconds: 1_200, late: false, dropped: 0 },
    error: "https://siem.example.com: answered 503",
    last_sent_at: "2026-11-28T20:20:00.000Z",
  },
  database: {
    version: "18.4",
    kind: "bundled",
    released_on: "2026-05-14",
    newer_on: ["2026-08-13", "2026-11-12"],
  },
};

it.each([
  { when: "opened", initial: null, outage: failure },
  { when: "already open", initial: report, outage: null },
])(
  "while the gateway cannot ask its database, the page, $when, names the cause and says what to do",
  async ({ initial, outage }) => {
    vi.stubGlobal("fetch", async () =>
      Response.json({ error: { code: failure.code, message } }, { status: failure.status }),
    );
    onTestFinished(() => {
      cleanup();
      vi.unstubAllGlobals();
    });
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <HealthClient initial={initial} outage={outage} />
      </QueryClientProvider>,
    );
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(message);
    expect(alert.textContent).toMatch(/check that PostgreSQL is running/);
    expect(/The figures below/.test(alert.textContent ?? "")).toBe(initial !== null);
    const stream = "Audit stream: 2 events waiting, for 20 m; the last left";
    await vi.waitFor(() => expect(document.body.textContent?.includes(stream)).toBe(initial !== null));
    expect(screen.queryByText("Nothing runs at a provider yet") !== null).toBe(initial !== null);
    const database = "PostgreSQL 18.4, the bundled one, released on 2026-05-14. Since then 2 minor releases";
    expect(document.body.textContent?.includes(database)).toBe(initial !== null);
  },
);
