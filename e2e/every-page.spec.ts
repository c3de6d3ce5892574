import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";
import { holdsCredential, keptInPage } from "./pages/credentials.ts";
import { consolePages, everyPage, withIds } from "./pages/every-page.ts";
import { scriptBudgetOf, scriptKilobytes } from "./pages/script-weight.ts";
import { Traffic } from "./pages/traffic.ts";

// Opening a page takes time: each is opened once for all checks.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test.describe("within its script budget, no logged error, no credential, whole tables on a laptop, accessible", () => {
  for (const { name, path } of consolePages)
    test(name, async ({ page, context, seedData }) => {
      const complaints = await complaintsOf(context, page);
      const traffic = new Traffic(context);
      const kilobytes = await scriptKilobytes(page, withIds(path, seedData));
      expect.soft(kilobytes, "kB of script").toBeLessThanOrEqual(scriptBudgetOf(name));
      await expectNoCredential(page, traffic);

      await expect.soft(page.locator("h1")).toHaveCount(1);
      await expect.soft(page.locator("main")).toHaveCount(1);
      expect.soft(await tablesCutOff(page), "tables cut off on a laptop").toEqual([]);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    });
});

test("no two pages have the same title", async ({ request, seedData }) => {
  const titles = new Map<string, string>();
  for (const { name, path } of everyPage(seedData)) {
    const html = await (await request.get(path)).text();
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
    expect.soft(title, `title of ${name}`).toMatch(/ · Gatehouse$/);
    expect.soft(titles.get(title), `${name} is titled like`).toBeUndefined();
    titles.set(title, name);
  }
});

/** In no answer, no address and nothing that the page stores. */
async function expectNoCredential(page: Page, traffic: Traffic): Promise<void> {
  await traffic.settled();
  expect.soft(holdsCredential(await keptInPage(page)), "credential in the page").toBe(false);
  const exchanges = await traffic.exchanges();
  expect(exchanges.some(({ text }) => text.includes("<!DOCTYPE html>"))).toBe(true);
  const holders = exchanges.filter(({ text }) => holdsCredential(text)).map(({ url }) => url);
  expect.soft(holders, "answers with a credential").toEqual([]);
  expect.soft(traffic.urls.filter(holdsCredential), "addresses with a credential").toEqual([]);
}

/** The tables that do not show all of their columns, with their buttons. */
function tablesCutOff(page: Page): Promise<string[]> {
  return page.getByRole("table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const region = table.parentElement;
      return region && region.scrollWidth > region.clientWidth ? [String(table.ariaLabel)] : [];
    }),
  );
}
