import { expect, it } from "vitest";
import { safeReturnPath, signInPath } from "./return-path.ts";

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
