import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { everyPage } from "./pages/every-page.ts";
import { isAlive } from "./pages/open-page.ts";

/**
 * Kilobytes (1000 bytes) of script, gzip level 6, that a page fetches before it is at rest: what it loads late, but
 * unasked, counts too. An empty Next application has 174.
 */
const LIST_BUDGET_KB = 190;
/** The story of one prediction: its timeline is drawn in the browser. */
const STORY_BUDGET_KB = 200;
const PLAYGROUND_BUDGET_KB = 260;

test("every page keeps to its budget of script and complains of nothing", async ({
  page,
  context,
  furniture,
}) => {
  test.setTimeout(180_000);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
    );
  });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));

  const sizes: Record<string, number> = {};
  for (const { name, path } of everyPage(furniture)) sizes[name] = await scriptKilobytes(page, path);
  console.table(Object.fromEntries(Object.entries(sizes).map(([name, kB]) => [name, { kB }])));

  const over = Object.entries(sizes).filter(([name, kB]) => kB > budgetOf(name));
  expect.soft(Object.fromEntries(over)).toEqual({});
  expect(complaints).toEqual([]);
});

function budgetOf(page: string): number {
  if (page.startsWith("playground")) return PLAYGROUND_BUDGET_KB;
  return page === "prediction" ? STORY_BUDGET_KB : LIST_BUDGET_KB;
}

/** Loads the page alone, with nothing cached, and weighs what it fetched. */
async function scriptKilobytes(page: Page, path: string): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>();
  const onResponse = (response: Response): void => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.ok()) scripts.set(response.url(), response.body());
  };
  page.on("response", onResponse);
  await page.goto(path, { waitUntil: "networkidle" });
  await isAlive(page);
  const bodies = await Promise.all(scripts.values());
  page.off("response", onResponse);
  expect(bodies.length, path).toBeGreaterThan(3);
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0);
  return Math.round(bytes / 100) / 10;
}
