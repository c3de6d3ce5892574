import type { Browser, Page } from "@playwright/test";
import type { GatewayApi } from "../gateway-api.ts";
import { openPage } from "./open-page.ts";

/** Opens `url` as a person who joins the account. */
export async function colleagueOf(
  browser: Browser,
  url: string,
  api: GatewayApi,
  role: "member" | "viewer",
): Promise<Page> {
  const { url: link } = await api.post("/account/invitations", {
    email: `c${Date.now()}@example.com`,
    role,
  });
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(String(link));
  await page.getByRole("textbox", { name: "Your name" }).fill("Colleague");
  await page.getByLabel(/^Password/).fill("a-heron-in-the-reeds-7");
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await page.waitForURL((at) => !at.pathname.startsWith("/invite"));
  await openPage(page, url);
  return page;
}
