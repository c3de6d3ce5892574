import { expect, it, vi } from "vitest";
import { type ActionResult, type GatewayResult, localFailure } from "../gateway/result.ts";
import { answerOf } from "./action-answer.ts";
import { onSessionState, sessionState } from "./session.ts";

vi.spyOn(console, "warn").mockImplementation(() => {});

it("returns the answer of an action", async () => {
  expect(await answerOf(acting({ ok: true, data: 1 }))).toEqual({ ok: true, data: 1 });
});

it.each([
  [new TypeError("Failed to fetch"), "offline"],
  [new Error('Server Action "00ab" was not found on the server.'), "console_renewed"],
  [
    Object.assign(new Error("Failed to load chunk /_next/a.js"), { name: "ChunkLoadError" }),
    "console_renewed",
  ],
])("turns %s into a failure with advice", async (error, code) => {
  expect(await answerOf(Promise.reject(error))).toMatchObject({ ok: false, error: { code } });
});

it("notifies the shell when a session has ended", async () => {
  const reported = vi.fn();
  onSessionState(() => reported(sessionState()));
  await answerOf(
    acting({ ok: false, error: { ...localFailure("signed_out", "Sign in again."), status: 401 } }),
  );
  expect(reported).toHaveBeenCalledWith("ended");
});

function acting<Data>(result: GatewayResult<Data>): ActionResult<Data> {
  return Promise.resolve({ answer: Promise.resolve(result) });
}

it("passes a redirect through", async () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/sign-in;307;" });
  await expect(answerOf(Promise.reject(redirect))).rejects.toBe(redirect);
});
