import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, signedOut, test } from "./fixtures.ts";
import { isAlive } from "./pages/open-page.ts";
import { signIn, signInWithKey } from "./pages/sign-in.ts";

test.use(signedOut);

/** The console's answer to a request with this page's cookie, even after the page has signed out. */
async function statusWithCookie(page: Page, cookie: string): Promise<number> {
  const { origin } = new URL(page.url());
  const answer = await fetch(`${origin}/api/gateway/account`, { headers: { cookie } });
  return answer.status;
}

async function sessionCookie(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const found = cookies.find(({ name }) => name.endsWith("next-auth.session-token"));
  return `${found?.name}=${found?.value}`;
}

async function signOutByMenu(page: Page): Promise<void> {
  await isAlive(page);
  await page.getByRole("button", { name: "Profile and settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
}

/** Signs out like a client of next-auth. */
async function signOutByNextAuth(page: Page): Promise<void> {
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, callbackUrl: "/", json: "true" };
  expect((await page.request.post("/api/auth/signout", { form, maxRedirects: 0 })).ok()).toBe(true);
}

for (const [way, signOut] of [
  ["the menu", signOutByMenu],
  ["next-auth's own route", signOutByNextAuth],
] as const) {
  test(`after signing out by ${way}, a copy of the user's cookie is refused`, async ({ page, stack }) => {
    await signIn(page, stack);
    const cookie = await sessionCookie(page);
    expect(await statusWithCookie(page, cookie)).toBe(200);
    await signOut(page);
    expect(await statusWithCookie(page, cookie)).toBe(401);
  });

  test(`after signing out by ${way}, a copy of a key's cookie is refused, and the key stays valid`, async ({
    page,
    stack,
    gatewayKey,
  }) => {
    await signInWithKey(page, stack.consoleUrl, gatewayKey);
    const cookie = await sessionCookie(page);
    expect(await statusWithCookie(page, cookie)).toBe(200);
    await signOut(page);
    expect(await statusWithCookie(page, cookie)).toBe(401);
    const headers = { authorization: `Bearer ${gatewayKey}` };
    expect((await fetch(`${stack.gatewayUrl}/account`, { headers })).status).toBe(200);
  });
}

test("the console's process has only the settings that it reads, and no secret of the gateway", async ({
  stack,
}) => {
  test.skip(process.platform !== "linux", "reads /proc");
  const environments = environmentsWith(`NEXTAUTH_URL=${stack.consoleUrl}`);
  expect(environments.length).toBeGreaterThan(0);
  const master = readFileSync(`${stack.dataDir}/secret`, "utf8").trim();
  for (const environment of environments) {
    expect(environment).toContain("CONSOLE_SECRET=");
    expect(environment).not.toContain(master);
    expect(environment).not.toContain(stack.owner.password);
    expect(environment).not.toMatch(/^(AUTH_SECRET|OWNER_|DATABASE_URL|WEBHOOK_|GATEHOUSE_)/m);
  }
});

/** The environments of running processes that contain this line, one variable per line. */
function environmentsWith(line: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").replaceAll("\0", "\n");
      } catch {
        return ""; // The process has ended since, or belongs to another user.
      }
    })
    .filter((environment) => environment.split("\n").includes(line));
}
