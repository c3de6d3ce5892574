import { expect, it, vi } from "vitest";
import { settled } from "./settled.ts";

vi.spyOn(console, "warn").mockImplementation(() => {});

it("hands on what an action answers", async () => {
  expect(await settled(Promise.resolve({ ok: true, data: 1 }))).toEqual({ ok: true, data: 1 });
});

it.each([
  [new TypeError("Failed to fetch"), "offline"],
  [new Error('Server Action "00ab" was not found on the server.'), "console_renewed"],
  [
    Object.assign(new Error("Failed to load chunk /_next/a.js"), { name: "ChunkLoadError" }),
    "console_renewed",
  ],
])("turns %s into a failure with advice", async (error, code) => {
  expect(await settled(Promise.reject(error))).toMatchObject({ ok: false, error: { code } });
});

it("lets a redirect pass", async () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/sign-in;307;" });
  await expect(settled(Promise.reject(redirect))).rejects.toBe(redirect);
});
