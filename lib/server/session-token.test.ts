import { expect, it } from "vitest";
import { sessionTokenOf } from "./session-cookie.ts";

const nowMs = 1_800_000_000_000;

it("accepts an unexpired session", () => {
  const token = { bearer: "tok", expiresAtMs: nowMs + 1, kind: "user" };
  expect(sessionTokenOf({ gatehouse: token }, nowMs)).toEqual(token);
});

it.each([
  null,
  {},
  { gatehouse: null },
  { gatehouse: { expiresAtMs: nowMs + 1 } },
  { gatehouse: { bearer: "tok", expiresAtMs: nowMs } },
])("refuses %j", (jwt) => expect(sessionTokenOf(jwt, nowMs)).toBeNull());
