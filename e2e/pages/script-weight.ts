import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { isAlive } from "./open-page.ts";

/**
 * Kilobytes (1000 bytes) of script, gzip level 6, that a page loads before it is idle, and those that it
 * loads late automatically. Without Ctrl K, which people who save data load when they press it. An empty Next
 * application has 174.
 */
const scriptBudgetsKb = {
  list: 185,
  /** Lists with a chart that filters them, or with files on their way. */
  busyList: 187,
  /** Pages that render a timeline, a gallery, the rows of a batch, a guard, or an operator's form in the browser. */
  rich: 195,
  playground: 235,
};

/** The script that Ctrl K adds when a page is idle. Budgets of pages leave it out. */
export const paletteBudgetKb = 26;

/** The budget of a page of `everyPage`, by its name. */
export function scriptBudgetOf(page: string): number {
  if (page.startsWith("playground")) return scriptBudgetsKb.playground;
  if (/^(requests|uploads|webhooks\/deliveries)$/.test(page)) return scriptBudgetsKb.busyList;
  return /^(batch,|editor|gallery$|prediction$|.*guard$)/.test(page)
    ? scriptBudgetsKb.rich
    : scriptBudgetsKb.list;
}

/** The files of a build are the same on all pages. */
const packedBytes = new Map<string, number>();

/** In the words for failures (6 kB), which a row loads that failed: another test may have left one. */
const ofFailures = "signed_outAdvice";

async function packedBytesOf(response: Response): Promise<number> {
  const known = packedBytes.get(response.url());
  if (known !== undefined) return known;
  const body = await response.body();
  const bytes = body.includes(ofFailures) ? 0 : gzipSync(body, { level: 6 }).length;
  packedBytes.set(response.url(), bytes);
  return bytes;
}

/** Loads the page without its session stream, and measures the scripts that it loaded. */
export async function scriptKilobytes(page: Page, path: string): Promise<number> {
  const scripts = new Map<string, Response>();
  const onResponse = (response: Response): void => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.ok()) scripts.set(response.url(), response);
  };
  page.on("response", onResponse);
  await page.goto(path, { waitUntil: "networkidle" });
  await isAlive(page);
  const sizes = await Promise.all([...scripts.values()].map(packedBytesOf));
  page.off("response", onResponse);
  if (sizes.length === 0) throw new Error(`${path} fetched no script`);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10;
}
