import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { test as base, expect, signedOut } from "./fixtures.ts";
import { desk, expectAccessible, phone } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";
import { holdsCredential, keptInPage } from "./pages/credentials.ts";
import { consolePages, everyPage, withIds } from "./pages/every-page.ts";
import { withoutSessionStream } from "./pages/open-page.ts";
import { paletteBudgetKb, scriptBudgetOf, scriptKilobytes } from "./pages/script-weight.ts";
import { signInWithKey } from "./pages/sign-in.ts";
import { Traffic } from "./pages/traffic.ts";

/** A tab of the owner in one language, with all its log messages and Next's prefetches of other pages. */
interface Tab {
  page: Page;
  complaints: string[];
  ahead: string[];
}

/** Opens a tab whose browser asks for this language. */
async function openTab(browser: Browser, locale: string, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext({ ...options, locale, reducedMotion: "reduce" });
  const page = await context.newPage();
  await withoutSessionStream(page);
  // The pointer may be over the link in the corner, which would prefetch its page.
  await page.addInitScript(() => {
    for (const moved of ["pointerover", "pointerout"])
      addEventListener(moved, (event) => event.stopImmediatePropagation(), true);
  });
  // For people who save data, no script is loaded ahead of its use. A separate test checks the scripts of
  // other people.
  await page.addInitScript(() => {
    const { connection } = navigator as unknown as { connection: object };
    Object.defineProperty(connection, "saveData", { value: true });
  });
  const ahead: string[] = [];
  page.on("request", (request) => {
    if ("next-router-prefetch" in request.headers()) ahead.push(request.url());
  });
  return { page, ahead, complaints: await complaintsOf(context, page) };
}

// Opening a page takes time, so each page is opened once in each language for all checks, in a tab that has
// cached the build's files.
const test = base.extend<object, { tab: Tab; chineseTab: Tab }>({
  tab: [
    async ({ browser, ownerState: storageState, stack }, use) => {
      const tab = await openTab(browser, "en-US", { storageState, baseURL: stack.consoleUrl });
      await use(tab);
      await tab.page.context().close();
    },
    { scope: "worker" },
  ],
  chineseTab: [
    async ({ browser, ownerState: storageState, stack }, use) => {
      const tab = await openTab(browser, "zh-CN", { storageState, baseURL: stack.consoleUrl });
      await use(tab);
      await tab.page.context().close();
    },
    { scope: "worker" },
  ],
});

test.describe("every page stays within its script budget, logs no error, shows no credential, prefetches no page, shows whole tables on a laptop and no name of a message, and is accessible", () => {
  for (const { name, path } of consolePages)
    test(name, async ({ tab: { page, complaints, ahead }, chineseTab, seedData }) => {
      await page.goto("about:blank");
      complaints.length = 0;
      ahead.length = 0;
      const traffic = new Traffic(page.context());
      const kilobytes = await scriptKilobytes(page, withIds(path, seedData));
      expect.soft(kilobytes, "kB of script").toBeLessThanOrEqual(scriptBudgetOf(name));
      await expectNoCredential(page, traffic);
      expect.soft(ahead, "pages fetched ahead").toEqual([]);
      traffic.end();

      await expect.soft(page.locator("h1")).toHaveCount(1);
      await expect.soft(page.locator("main")).toHaveCount(1);
      expect.soft(await tablesCutOff(page), "tables cut off on a laptop").toEqual([]);
      expect.soft(await namesOfMessages(page), "names of messages instead of their text").toEqual([]);
      await expectAccessible(page, [desk]);
      expect.soft(complaints).toEqual([]);

      chineseTab.complaints.length = 0;
      const chinese = await scriptKilobytes(chineseTab.page, withIds(path, seedData));
      expect.soft(chinese, "kB of script in Chinese").toBeLessThanOrEqual(scriptBudgetOf(name));
      await expect.soft(chineseTab.page.locator("html")).toHaveAttribute("lang", "zh-CN");
      // Axe takes most of the time, so each language is checked on one screen.
      await expectAccessible(chineseTab.page, [phone]);
      expect(chineseTab.complaints).toEqual([]);
    });
});

test("the script of Ctrl K, which is loaded when a page is idle, stays within its own budget", async ({
  tab,
  page,
}) => {
  await withoutSessionStream(page);
  const [without, whole] = [await scriptKilobytes(tab.page, "/keys"), await scriptKilobytes(page, "/keys")];
  expect(whole).toBeGreaterThan(without);
  expect(Math.round(10 * (whole - without)) / 10, "kB of script").toBeLessThanOrEqual(paletteBudgetKb);
});

test("no two pages have the same title, and none contains the account key of its session", async ({
  browser,
  stack,
  gatewayKey,
  seedData,
}) => {
  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  await signInWithKey(await context.newPage(), stack.consoleUrl, gatewayKey);
  const titles = new Map<string, string>();
  for (const { name, path } of everyPage(seedData)) {
    const html = await (await context.request.get(path)).text();
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
    expect.soft(title, `title of ${name}`).toMatch(/ · Gatehouse$/);
    expect.soft(titles.get(title), `${name} is titled like`).toBeUndefined();
    titles.set(title, name);
    expect(html.includes(gatewayKey), `the key in ${name}`).toBe(false);
  }
  await context.close();
});

/** Checks responses, addresses and everything that the page stores. */
async function expectNoCredential(page: Page, traffic: Traffic): Promise<void> {
  await traffic.settled();
  expect.soft(holdsCredential(await keptInPage(page)), "credential in the page").toBe(false);
  const exchanges = await traffic.exchanges();
  expect(exchanges.some(({ text }) => text.includes("<!DOCTYPE html>"))).toBe(true);
  const holders = exchanges.filter(({ text }) => holdsCredential(text)).map(({ url }) => url);
  expect.soft(holders, "answers with a credential").toEqual([]);
  expect.soft(traffic.urls.filter(holdsCredential), "addresses with a credential").toEqual([]);
}

/** Texts such as `adultGate`: the name of a message, shown in place of what it says. */
function namesOfMessages(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (
        /^[a-z]+(?:[A-Z][a-z]+)+$/.test(node.nodeValue ?? "") &&
        !node.parentElement?.closest("code, pre, script")
      )
        found.push(node.nodeValue ?? "");
    return found;
  });
}

/** Tables that hide some of their columns, with their buttons. */
function tablesCutOff(page: Page): Promise<string[]> {
  return page.getByRole("table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const region = table.parentElement;
      return region && region.scrollWidth > region.clientWidth ? [String(table.ariaLabel)] : [];
    }),
  );
}
