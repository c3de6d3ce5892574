import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { openPage, withoutSessionStream } from "./pages/open-page.ts";

const clickOnASlowNetwork = (page: Page, target: Locator) => onASlowNetwork(page, () => target.click());

/** Does something while the network delays the script that it needs. The returned function ends the delay. */
async function onASlowNetwork(page: Page, act: () => Promise<void>): Promise<() => void> {
  await withoutSessionStream(page);
  await page.reload({ waitUntil: "networkidle" });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const scripts = /\/_next\/static\/.*\.js/;
  await page.route(scripts, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(scripts);
  await act();
  await asked;
  return release;
}

test("a row is ticked at once, while its buttons still load", async ({ page, seedData }) => {
  await page.goto(`/webhooks/deliveries?endpoint_id=${seedData.endpoint}`);
  const box = page.getByRole("row").nth(1).getByRole("checkbox");
  const release = await clickOnASlowNetwork(page, box);
  await expect(box).toBeChecked();
  await expect(box).toBeFocused();
  release();
  await expect(page.getByText("1 delivery selected")).toBeVisible();
  await expect(box).toBeFocused();
});

test("a tab changes at once, while its content still loads", async ({ page, seedData }) => {
  await page.goto(`/predictions/${seedData.prediction}`);
  const tab = page.getByRole("tab", { name: "Raw JSON" });
  const release = await clickOnASlowNetwork(page, tab);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(tab).toBeFocused();
  release();
  await expect(page.getByRole("tabpanel").getByText(seedData.prediction).first()).toBeVisible();
});

test("text that is typed before the palette has loaded appears in its field, and Esc drops it", async ({
  page,
}) => {
  // For people who save data, no script is loaded ahead of its use, so the palette loads at the first press.
  await page.addInitScript(() => {
    const { connection } = navigator as unknown as { connection: object };
    Object.defineProperty(connection, "saveData", { value: true });
  });
  await page.goto("/keys");
  const field = page.getByRole("combobox", { name: "Search or go to" });
  const release = await onASlowNetwork(page, () => page.keyboard.press("Control+k"));
  await page.keyboard.type("deliveriesx");
  await page.keyboard.press("Escape");
  await page.keyboard.type("k");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("deliveriesx");
  await page.keyboard.press("Backspace");
  release();
  await expect(field).toHaveValue("deliveries");
  await expect(field).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/webhooks\/deliveries$/);
});

test("text that is typed before any script has loaded is shown, and is then searched for", async ({
  page,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/keys", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("usagex");
  await page.keyboard.press("Backspace");
  await expect(page.locator("html")).toHaveAttribute("data-typed", "usage");
  release();
  const field = page.getByRole("combobox", { name: "Search or go to" });
  await expect(field).toHaveValue("usage");
  await expect(field).toBeFocused();
  await expect(page.locator("html")).not.toHaveAttribute("data-typed");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/usage$/);
});

test("offline, a part that loads late waits for the connection, and the page stays", async ({
  page,
  context,
  seedData,
}) => {
  const parts = [
    { path: "/keys", open: "button", name: "Create key", shown: page.getByRole("dialog") },
    { path: "/webhooks/endpoints", open: "button", name: "Add endpoint", shown: page.getByRole("dialog") },
    {
      path: `/predictions/${seedData.prediction}`,
      open: "tab",
      name: "Raw JSON",
      shown: page.getByRole("tabpanel").getByText(seedData.prediction).first(),
    },
    {
      path: "/playground/svc/img-gen-a-1/image-generation",
      open: "tab",
      name: "Code",
      shown: page.getByRole("tabpanel").getByText("curl").first(),
    },
  ] as const;
  for (const { path, open, name, shown } of parts) {
    await openPage(page, path);
    await context.setOffline(true);
    await page.getByRole(open, { name, exact: true }).first().click();
    await expect(
      page.getByText("You are offline. What you opened appears as soon as you are back online."),
      name,
    ).toBeVisible();
    await expect(page).toHaveURL(new RegExp(path));
    await context.setOffline(false);
    await expect(shown, name).toBeVisible();
  }
  await context.setOffline(true);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByText("Connect to the internet, then try again.")).toBeVisible();
  await context.setOffline(false);
});

test("the palette is loaded when the page is idle and opens in the task of its key, and health and unread notices are in the first paint", async ({
  page,
}) => {
  const html = await (await page.request.get("/keys")).text();
  expect(html).toContain("7 healthy regions");
  await withoutSessionStream(page);
  await page.goto("/keys", { waitUntil: "networkidle" });
  // The palette is the only dialog here: it is loaded and rendered, although it is closed.
  await expect(page.locator("dialog")).not.toHaveCount(0);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(() => {
    const focused = Promise.withResolvers<string | null>();
    Object.assign(window, { focused: focused.promise });
    window.addEventListener("keydown", ({ key }) => {
      if (key === "k")
        setTimeout(() => focused.resolve(document.activeElement?.getAttribute("role") ?? null));
    });
  });
  await page.keyboard.press("Control+k");
  expect(await page.evaluate(() => (window as never as { focused: Promise<string | null> }).focused)).toBe(
    "combobox",
  );
  expect(asked.filter((url) => url.includes("/_next/static/"))).toEqual([]);
});
