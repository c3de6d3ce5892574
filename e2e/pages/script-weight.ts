import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { isAlive, withoutSessionStream } from "./open-page.ts";

/**
 * Kilobytes (1000 bytes) of script, gzip level 6, that a page fetches before it is at rest: what it loads late, but
 * unasked, counts too. An empty Next application has 174.
 */
const scriptBudgetsKb = {
  list: 190,
  /** One prediction: its timeline is drawn in the browser. */
  story: 199,
  /** The other view of the predictions: the code of both is that of one page. */
  gallery: 200,
  /** The rows of a batch, typed or run. */
  batch: 199,
  playground: 250,
  /** Of what only operators open. */
  editor: 204,
};

/** The budget of a page of `everyPage`, by its name. */
export function scriptBudgetOf(page: string): number {
  if (page.startsWith("playground")) return scriptBudgetsKb.playground;
  if (page.startsWith("batch,")) return scriptBudgetsKb.batch;
  if (page === "gallery") return scriptBudgetsKb.gallery;
  if (page.startsWith("editor")) return scriptBudgetsKb.editor;
  return page === "prediction" ? scriptBudgetsKb.story : scriptBudgetsKb.list;
}

/** Loads only the page and measures the scripts that it fetched. */
export async function scriptKilobytes(page: Page, path: string): Promise<number> {
  const scripts = new Map<string, Response>();
  const onResponse = (response: Response): void => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.ok()) scripts.set(response.url(), response);
  };
  page.on("response", onResponse);
  await withoutSessionStream(page);
  await page.goto(path, { waitUntil: "networkidle" });
  await isAlive(page);
  const bodies = await Promise.all([...scripts.values()].map((response) => response.body()));
  page.off("response", onResponse);
  if (bodies.length === 0) throw new Error(`${path} fetched no script`);
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0);
  return Math.round(bytes / 100) / 10;
}
