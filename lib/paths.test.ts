import { expect, it } from "vitest";
import { inAccount, placeOf, safeReturnPath, signInPath } from "./paths.ts";

const account = "acct_01hzzzzzzzzzzzzzzzzzzzzzzz";

it("gives a page its path without the account", () => {
  expect(placeOf(`/a/${account}/keys`)).toEqual({ accountId: account, path: "/keys" });
  expect(placeOf(`/a/${account}`)).toEqual({ accountId: account, path: "/" });
  expect(placeOf("/keys")).toEqual({ accountId: null, path: "/keys" });
  expect(placeOf(`/a/${account}x-/keys`)).toEqual({ accountId: null, path: `/a/${account}x-/keys` });
  expect(placeOf("/a/../keys")).toEqual({ accountId: null, path: "/a/../keys" });
});

it("adds the account to links to its pages, and leaves all other links unchanged", () => {
  expect(inAccount(account, "/keys?q=1")).toBe(`/a/${account}/keys?q=1`);
  expect(inAccount(account, "/")).toBe(`/a/${account}`);
  expect(inAccount(account, "/?tab=1")).toBe(`/a/${account}/?tab=1`);
  for (const href of [
    "#main",
    "https://example.com/",
    "//example.com",
    "/sign-in?from=%2F",
    "/api/gateway/x",
  ])
    expect(inAccount(account, href)).toBe(href);
  expect(inAccount(account, `/a/${account}/keys`)).toBe(`/a/${account}/keys`);
  expect(inAccount(null, "/keys")).toBe("/keys");
});

it.each(["/predictions?status=failed", "/catalog/svc/chat-1", "/"])("keeps the local path %s", (path) =>
  expect(safeReturnPath(path)).toBe(path),
);

it.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "",
  null,
  "/sign-in?from=/x",
  "/api/auth/signout",
])("replaces %j with Home", (path) => expect(safeReturnPath(path)).toBe("/"));

it("adds the page to the sign-in address", () => {
  expect(signInPath("/predictions?status=failed", "ended")).toBe(
    "/sign-in?from=%2Fpredictions%3Fstatus%3Dfailed&reason=ended",
  );
  expect(signInPath("/")).toBe("/sign-in");
});
