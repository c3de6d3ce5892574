import { expect, it } from "vitest";
import { inAccount, placeOf } from "./account-path.ts";

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
