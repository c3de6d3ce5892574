import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import { AccessProvider } from "@/components/team/access";
import { FoundContents } from "./found-contents.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/requests" }));
const asked = vi.fn<(address: string) => Promise<Response>>();
afterEach(() => {
  cleanup();
  asked.mockReset();
  vi.unstubAllGlobals();
});

const account = (keep: string, contents_max_days: number | null) =>
  ({
    ...{ id: "acc_1", user: null, permissions: [], contents: { keep } },
    contents_max_days,
  }) as unknown as CurrentAccount;

function show(words = "whale (white)", keep = "all", maxDays: number | null = 30) {
  vi.stubGlobal("fetch", asked);
  const onClear = vi.fn();
  const queries = new QueryClient();
  const view = (refreshes: number) => (
    <QueryClientProvider client={queries}>
      <AccessProvider account={account(keep, maxDays)} permissionsByRoles={[]}>
        <FoundContents
          key={refreshes}
          words={words}
          refreshes={refreshes}
          filterAt={() => ({ metadata: "customer=acme" })}
          names={{ key_1: "Laptop" }}
          search="?metadata=customer%3Dacme"
          onClear={onClear}
        />
      </AccessProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(view(0));
  return { onClear, refresh: () => rerender(view(1)) };
}

const found = {
  ...{ id: "gen_1", object: "content", created_at: "2026-11-20T10:00:00Z", request_id: "req_1" },
  ...{ key_id: "key_1", user_id: null, model: "svc/chat-1", api_type: "chat-completions" },
  ...{ stored: false, metadata: null, opening: "Where?", excerpt: 'the "whale" is (WHITE)' },
};
const answer = (more: object) =>
  Promise.resolve(
    Response.json({ object: "contents_search", data: [], read: 0, read_until: null, next: null, ...more }),
  );

it("shows what a second of search found, says how far it read, and continues from there", async () => {
  asked
    .mockImplementationOnce(() =>
      answer({ data: [found], read: 400, read_until: "2026-11-20T08:00:00Z", next: "gen_0" }),
    )
    .mockImplementationOnce(() => answer({ read: 20, read_until: "2026-11-19T08:00:00Z" }));
  show();
  screen.getByText("Searching…");
  const link = await screen.findByRole("link");
  expect(link.textContent).toBe(found.excerpt);
  expect(link.getAttribute("href")).toContain("/requests/req_1?metadata=customer%3Dacme");
  expect(
    within(link)
      .getAllByText(/whale|\(WHITE\)/)
      .map(({ tagName }) => tagName),
  ).toEqual(["MARK", "MARK"]);
  expect(screen.getByRole("status").textContent).toMatch(/^1 match in 400 contents, back to .*08:00/);
  fireEvent.click(screen.getByRole("button", { name: "Search older contents" }));
  await screen.findByText("1 match in 420 contents, which are all.");
  expect(screen.queryByRole("button", { name: "Search older contents" })).toBeNull();
  const [first = "", second = ""] = asked.mock.calls.map(([address]) => address);
  expect(first).toContain("query=whale+%28white%29");
  expect(first).toContain("metadata=customer%3Dacme");
  expect(second).toContain("after=gen_0");
});

it("searches anew when the reader refreshes", async () => {
  asked
    .mockImplementationOnce(() => answer({ read: 3 }))
    .mockImplementationOnce(() => answer({ data: [found], read: 4 }));
  const { refresh } = show();
  await screen.findByText("0 matches in 3 contents, which are all.");
  refresh();
  await screen.findByText("1 match in 4 contents, which are all.");
});

it("waits for a search that still runs, and says when nothing was found or the search failed", async () => {
  const running = { error: { code: "contents_search_running", message: "A search is running" } };
  asked
    .mockImplementationOnce(() => Promise.resolve(Response.json(running, { status: 409 })))
    .mockImplementationOnce(() => answer({ read: 3, read_until: "2026-11-20T08:00:00Z" }));
  const { onClear } = show("whale", "all");
  fireEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(onClear).toHaveBeenCalledOnce();
  expect(asked).toHaveBeenCalledTimes(2);
  cleanup();
  for (const [words, keep, maxDays] of [
    ["white", "off", 30],
    ["grey", "all", null],
  ] as const) {
    asked.mockImplementationOnce(() => answer({}));
    show(words, keep, maxDays);
    expect((await screen.findByRole("link", { name: "Open settings" })).getAttribute("href")).toContain(
      "/settings",
    );
    cleanup();
  }
  const broken = { error: { code: "service_unavailable", message: "The database is away" } };
  asked.mockImplementationOnce(() => Promise.resolve(Response.json(broken, { status: 503 })));
  show("other");
  await screen.findByRole("button", { name: /again/i });
});
