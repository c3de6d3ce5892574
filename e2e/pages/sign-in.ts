import type { Page } from "@playwright/test";
import type { Stack } from "../stack.ts";
import { isAlive } from "./open-page.ts";

/** Signs the owner in with the form. `path` is the page afterwards. */
export async function signIn(page: Page, { consoleUrl, owner }: Stack, path = "/"): Promise<void> {
  await page.goto(`${consoleUrl}/sign-in?from=${encodeURIComponent(path)}`);
  await fillSignIn(page, owner);
}

/** Fills in the open sign-in page. */
export async function fillSignIn(page: Page, owner: Stack["owner"]): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(owner.email);
  await page.getByLabel(/^Password/).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

export async function signInWithKey(page: Page, consoleUrl: string, key: string, path = "/"): Promise<void> {
  await page.goto(`${consoleUrl}/sign-in?from=${encodeURIComponent(path)}`);
  await isAlive(page);
  await page.getByRole("tab", { name: "Account key" }).click();
  await page.getByRole("textbox", { name: "Account key" }).fill(key);
  await page.getByRole("button", { name: "Sign in with key" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}
