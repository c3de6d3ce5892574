import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import { AccessProvider } from "@/components/team/access";
import { requestList } from "@/lib/request-list";
import { RequestFilters } from "./request-filters.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/requests" }));
const onChange = vi.fn();
const show = (view = requestList.empty, permissions: readonly string[] = ["contents:read"]) => {
  const account = { id: "acc_1", user: { id: "usr_1" }, role: "viewer", permissions };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessProvider account={account as unknown as CurrentAccount} permissionsByRoles={[]}>
        <RequestFilters
          list={{ view, active: 0, change: onChange, clear() {} }}
          keyNames={{ key_1: "nightly renders" }}
          modelIds={["svc/chat-1"]}
          errorCodes={{ rate_limit_error: ["rate_limited", "too_many_runs"], api_error: ["internal_error"] }}
        />
      </AccessProvider>
    </QueryClientProvider>,
  );
};
const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

afterEach(() => {
  cleanup();
  onChange.mockReset();
});

it("has one status filter for classes and exact statuses", () => {
  show();
  choose("Status", "4xx");
  expect(onChange).toHaveBeenLastCalledWith({ status: "", status_class: "4xx" });
  choose("Status", "429");
  expect(onChange).toHaveBeenLastCalledWith({ status: "429", status_class: "" });
});

it("shows runs only, or all requests, with the other filters as they are", () => {
  show({ ...requestList.empty, runs: "true", status_class: "4xx" });
  const choice = within(screen.getByRole("navigation", { name: "Which requests" }));
  expect(choice.getByRole("link", { name: "Runs" }).getAttribute("aria-current")).toBe("true");
  expect(choice.getByRole("link", { name: "All" }).getAttribute("href")).toContain(
    "/requests?status_class=4xx",
  );
  expect(requestList.filterOf({ ...requestList.empty, runs: "true" }, 0)).toMatchObject({ runs: true });
});

it("groups error codes by the kind of error", () => {
  show();
  const group = screen.getByRole("group", { name: "Rate limit" });
  expect(within(group).getAllByRole("option", { hidden: true })).toHaveLength(2);
});

it("has one filter for the caller: programs, people, or one key", () => {
  show({ ...requestList.empty, key_id: "key_1" });
  expect((screen.getByLabelText("Made by") as HTMLSelectElement).value).toBe("key_1");
  choose("Made by", "user");
  expect(onChange).toHaveBeenLastCalledWith({ actor: "user", key_id: "" });
});

it("shows the console's reads only on request", () => {
  show();
  fireEvent.click(screen.getByLabelText("Console reads"));
  expect(onChange).toHaveBeenLastCalledWith({ console_reads: "true" });
  expect(requestList.filterOf(requestList.empty, 0)).toEqual({ console_reads: false });
  expect(requestList.filterOf({ ...requestList.empty, console_reads: "true" }, 0)).toEqual({});
});

it("counts the filters behind More on its button", () => {
  show();
  expect(screen.getByRole("button", { name: "More" })).toBeTruthy();
  cleanup();
  show({ ...requestList.empty, route: "/predictions", contents: "kept", status: "429" });
  expect(screen.getByRole("button", { name: "More (2)" })).toBeTruthy();
});

it("filters by a part of the path when the user leaves the field or presses Enter", () => {
  show();
  const field = screen.getByLabelText("Path contains");
  fireEvent.change(field, { target: { value: " /predictions " } });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.blur(field);
  expect(onChange).toHaveBeenLastCalledWith({ route: "/predictions" });
});

it.each([
  ["a reader of contents", ["contents:read"], 0],
  ["others, whose list the words do not filter", [], 1],
])("offers a file only if the words of a search do not filter the list: %s", (_, permissions, files) => {
  show({ ...requestList.empty, said: "whale" }, permissions);
  expect(screen.queryAllByRole("button", { name: "CSV" })).toHaveLength(files);
});
