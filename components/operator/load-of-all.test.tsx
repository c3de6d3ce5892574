import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { LoadList, LoadRow } from "#contract/load.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { LoadOfAll } from "./load-of-all.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/lib/browser/fetch-from-gateway", async (original) => ({
  ...(await original<typeof import("@/lib/browser/fetch-from-gateway")>()),
  fetchRoute: vi.fn(),
}));
vi.mock("next/navigation", () => ({ usePathname: () => "/", useRouter: () => ({}) }));
afterEach(cleanup);

const amounts = { requests: 30, bytes_in: 1, bytes_out: 2, processor_ms: 750, running: 4, waiting: 0 };
const row = (more: Partial<LoadRow>): LoadRow => ({
  ...{ group: null, name: null, account_id: null, account_name: null, deliveries: 0 },
  ...amounts,
  ...more,
});

test("leads from an account to its keys, and from each row to its limits", async () => {
  const asked: unknown[] = [];
  vi.mocked(fetchRoute).mockImplementation((async (route: string, { query }: { query: { by: string } }) => {
    asked.push([route, query]);
    const key = row({ group: "key_1", name: "import", account_id: "acct_1", account_name: "Loud" });
    const account = row({ group: "acct_1", name: "Loud", account_id: "acct_1" });
    const list: LoadList = {
      ...{ object: "list", minutes: 5, by: query.by as LoadList["by"] },
      data: query.by === "key" ? [key] : [account, row({})],
      total: { ...amounts, processor_ms: 1_000, deliveries: 0 },
    };
    return list;
  }) as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LoadOfAll />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const limit = await screen.findByRole("link", { name: "Limit account" });
  expect(limit.getAttribute("href")).toContain("/operator/accounts/acct_1?do=limits");
  expect(screen.getAllByText("75 %")).toHaveLength(2);
  expect(screen.getByText("Requests without a key")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Loud" }));
  await screen.findByRole("button", { name: "Limit key import" });
  expect(asked.at(-1)).toEqual(["GET /operator/load", { by: "key", minutes: 5, account_id: "acct_1" }]);
  await user.click(screen.getByRole("button", { name: "All accounts" }));
  await screen.findByRole("link", { name: "Limit account" });
});

test("says whose requests had no key", async () => {
  const list: LoadList = {
    ...{ object: "list", minutes: 5, by: "key" },
    data: [row({ account_id: "acct_1", account_name: "Loud" }), row({})],
    total: { ...amounts, deliveries: 0 },
  };
  vi.mocked(fetchRoute).mockResolvedValue(list as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LoadOfAll />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole("radio", { name: "Key" }));
  const cells = await screen.findAllByRole("cell", { name: /^Requests without a key/ });
  expect(cells.map((cell) => cell.textContent)).toEqual([
    "Requests without a keyLoud",
    "Requests without a key",
  ]);
});
