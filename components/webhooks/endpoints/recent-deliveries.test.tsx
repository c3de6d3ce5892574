import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { queryKeys } from "@/lib/query-keys";
import { RecentDeliveries } from "./recent-deliveries.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/" }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("keeps its rows when a read fails, and shows why above them", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: { code: "rate_limited", message: "Slow down." } }, { status: 429 }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const data: List<Delivery> = {
    object: "list",
    data: [
      {
        id: "dlv_1",
        event_type: "prediction.succeeded",
        status: "delivered",
        url: "https://a.example/",
      } as Delivery,
    ],
    has_more: false,
    first_id: null,
    last_id: null,
  };
  render(
    <QueryClientProvider client={client}>
      <RecentDeliveries endpointId="we_1" initial={{ ok: true, data }} />
    </QueryClientProvider>,
  );
  await client.invalidateQueries({ queryKey: queryKeys.deliveries() });
  expect((await screen.findByRole("alert")).textContent).toContain("Too many requests");
  expect(screen.getByText("prediction.succeeded")).toBeTruthy();
});
