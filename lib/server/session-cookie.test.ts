// @vitest-environment node
import { afterEach, expect, it, vi } from "vitest";
import { parsePreferences } from "../preferences.ts";
import { languageCookieOf, openCookie, type SessionToken, sealCookie } from "./session-cookie.ts";

const before = "the-secret-of-the-console-number-01";
const after = "the-secret-of-the-console-number-02";

afterEach(() => vi.unstubAllEnvs());

it("decrypts cookies that it encrypted, also with the previous secret", async () => {
  vi.stubEnv("CONSOLE_SECRET", before);
  const sealed = await sealCookie({ name: "Ada" }, 60);
  expect(await openCookie(sealed)).toMatchObject({ name: "Ada" });
  vi.stubEnv("CONSOLE_SECRET", after);
  expect(await openCookie(sealed)).toBeNull();
  vi.stubEnv("CONSOLE_SECRET_PREVIOUS", before);
  expect(await openCookie(sealed)).toMatchObject({ name: "Ada" });
  const fresh = await sealCookie({ name: "Ada" }, 60);
  vi.stubEnv("CONSOLE_SECRET_PREVIOUS", "");
  expect(await openCookie(fresh)).toMatchObject({ name: "Ada" });
});

it("does not accept the gateway's master secret", async () => {
  vi.stubEnv("CONSOLE_SECRET", "");
  vi.stubEnv("AUTH_SECRET", before);
  vi.stubEnv("NEXTAUTH_SECRET", before);
  expect(() => sealCookie({}, 60)).toThrow(/CONSOLE_SECRET must be set/);
});

it.each([undefined, "", "junk", "a.b.c.d.e"])("does not accept %j as a session", async (text) => {
  vi.stubEnv("CONSOLE_SECRET", before);
  expect(await openCookie(text)).toBeNull();
});

it("a browser where a person signs in gets their language and keeps its other settings", () => {
  const token = { kind: "user", bearer: "b", expiresAtMs: 0, accountId: "a", accountName: "A", name: "Ada" };
  const cookie = languageCookieOf({ ...token, language: "zh-CN" } as SessionToken, "theme=dark&language=en");
  expect(parsePreferences(cookie?.value)).toMatchObject({ theme: "dark", language: "zh-CN" });
  expect(languageCookieOf(token as SessionToken, "language=zh-CN")).toBeNull();
});
