import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestDetail } from "#contract/usage.ts";
import { requestList } from "@/lib/request-list";
import { requestAdvice } from "@/lib/requests/request-advice";
import { english } from "@/scripts/testing/english";
import { RequestReport } from "./request-report.tsx";

const navigation = vi.hoisted(() => ({ push: vi.fn() }));
vi.mock("next/navigation", () => ({
  useRouter: () => navigation,
  usePathname: () => "/requests/req_01k00000000000000000000001",
}));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const request: RequestDetail = {
  ...{ id: "req_01k00000000000000000000001", object: "request", at: "2026-11-20T10:00:00Z" },
  ...{ method: "POST", route: "/v1/chat/completions", status: 400, code: "invalid_parameter" },
  ...{ message: "temperature must be at most 2", param: "temperature", wanted_model: "svc/chat-1" },
  ...{ model: null, region: null, alias: null, metadata: null, key_id: "key_1", user_id: "usr_1" },
  ...{ duration_ms: 3, count: 1, run_id: null, cost: null, usage: null, provider: null },
  ...{ bytes_in: 80, bytes_out: 200, tokens_out: null, asked_ms: null, first_ms: null, answered_ms: null },
  ...{ upstream_key: null, failed_tries: [], guards: [] },
};
const show = (
  more: Partial<RequestDetail> = {},
  filters: Record<string, string> = { status_class: "4xx" },
  reason: string | null = null,
) => {
  const shown = { ...request, ...more };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RequestReport
        request={shown}
        advice={requestAdvice(english("requests"), shown, false)}
        reason={reason}
        names={{ key_1: "Laptop", usr_1: "Ann" }}
        view={requestList.viewOf(filters)}
        accountId="acc_1"
        baseUrl="https://gateway.example/v1"
      />
    </QueryClientProvider>,
  );
};

it("begins with the sentence that the caller got, its parameter and what to do", () => {
  show();
  const answer = within(screen.getByRole("region", { name: "Why it failed" }));
  answer.getByText("temperature must be at most 2");
  answer.getByText("temperature");
  answer.getByText(/^Correct temperature in the calling program/);
  expect(answer.getByRole("link", { name: "Inputs of svc/chat-1" }).getAttribute("href")).toContain(
    "/catalog/svc/chat-1",
  );
  screen.getByText("Laptop");
  screen.getByText("of Ann");
  expect(screen.getByRole("link", { name: "svc/chat-1" }).getAttribute("href")).toContain(
    "/requests?model=svc%2Fchat-1",
  );
});

it("says why in the reader's language before the English sentence that the caller got", () => {
  show({}, {}, "参数无效");
  const answer = screen.getByRole("region", { name: "Why it failed" });
  expect(answer.textContent).toMatch(/^参数无效temperature must be at most 2/);
});

it("says that contents of a request that was refused before a run are not kept, and only of those for a model", () => {
  show();
  screen.getByText("Not kept: the request ended before a run began.");
  cleanup();
  show({ wanted_model: null });
  expect(screen.queryByText(/^Not kept/)).toBeNull();
});

it("says nothing of the kind for a request that succeeded", () => {
  show({ status: 200, code: null, message: null, param: null, wanted_model: null, model: "svc/chat-1" });
  expect(screen.queryByRole("region", { name: "Why it failed" })).toBeNull();
});

it("says which key of the provider was used, and why", () => {
  show();
  expect(screen.queryByText("Key of the provider")).toBeNull();
  cleanup();
  show({ status: 200, code: null, upstream_key: { name: "second", chosen: "favourite_resting" } });
  screen.getByText("second: the conversation's own key or route is resting");
});

it("says what guards answered, that nothing was charged, and that an input was replaced", () => {
  show({
    ...{
      code: "content_blocked",
      message: "The guard of this account blocked this run: No recipes.",
      param: null,
    },
    guards: [
      { of: "installation", stage: "input", result: "replaced", duration_ms: 12 },
      { of: "account", stage: "input", result: "blocked", duration_ms: 34 },
    ],
  });
  const answer = within(screen.getByRole("region", { name: "Why it failed" }));
  answer.getByText("The guard of this account blocked this run: No recipes.");
  answer.getByText(/nothing was charged/);
  const rows = within(screen.getByRole("table", { name: "Guards that were asked" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    ...[
      "GuardAboutAnswerTime",
      "Of this installationthe inputReplaced12 ms",
      "Of this accountthe inputBlocked34 ms",
    ],
  ]);
  screen.getByText(/The guard replaced the input/);
});

it("walks the filtered list with J and K", async () => {
  const asked = vi.fn((address: string) => {
    const id = address.includes("after=") ? "req_older" : "req_newer";
    return Promise.resolve(Response.json({ object: "list", data: [{ id }], has_more: false }));
  });
  vi.stubGlobal("fetch", asked);
  show();
  const older = await screen.findByRole("link", { name: "Older request (J)" });
  expect(older.getAttribute("href")).toContain("/requests/req_older?status_class=4xx");
  for (const [address] of asked.mock.calls) expect(address).toContain("status_class=4xx");
  fireEvent.keyDown(document.body, { key: "j" });
  expect(navigation.push).toHaveBeenLastCalledWith("/requests/req_older?status_class=4xx");
  await screen.findByRole("link", { name: "Newer request (K)" });
  fireEvent.keyDown(document.body, { key: "k" });
  expect(navigation.push).toHaveBeenLastCalledWith("/requests/req_newer?status_class=4xx");
});

it("walks no list from a match of a search in contents", () => {
  const asked = vi.fn();
  vi.stubGlobal("fetch", asked);
  show({}, { said: "whale" });
  screen.getByRole("button", { name: "Older request (J)" });
  screen.getByRole("button", { name: "Newer request (K)" });
  expect(asked).not.toHaveBeenCalled();
});
