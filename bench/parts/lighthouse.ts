import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installPackages } from "./install.ts";

const version = "12.8.2";

/** Lighthouse's result for one page with the desktop preset: scores from 0 to 100, times in ms. */
export interface PageReport {
  performance: number;
  accessibility: number;
  bestPractices: number;
  largestPaintMs: number;
  blockedMs: number;
  layoutShift: number;
  /** Audits of accessibility and best practices that the page failed. */
  failed: string[];
}

export type AskLighthouse = (url: string) => Promise<PageReport>;

interface Result {
  lhr: {
    categories: Record<
      string,
      { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
    >;
    audits: Record<string, { score: number | null; numericValue?: number } | undefined>;
  };
}

/**
 * Installs Lighthouse into `folder` and uses the browser with the debugging port `port`, with the session
 * that is signed in there. Returns a reason if it is not available.
 */
export async function startLighthouse(
  folder: string,
  port: number,
): Promise<AskLighthouse | { missing: string }> {
  try {
    const entry = path.join(folder, "node_modules/lighthouse/core/index.js");
    if (!existsSync(entry)) installPackages(folder, { dependencies: { lighthouse: version } });
    const { default: lighthouse, desktopConfig } = await import(pathToFileURL(entry).href);
    return async (url) => {
      const flags = { port, disableStorageReset: true, logLevel: "silent" };
      const { lhr } = (await lighthouse(url, flags, desktopConfig)) as Result;
      return reportOf(lhr);
    };
  } catch (error) {
    return { missing: String(error).split("\n").slice(0, 2).join(": ") };
  }
}

function reportOf({ categories, audits }: Result["lhr"]): PageReport {
  const score = (name: string) => Math.round((categories[name]?.score ?? Number.NaN) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  const failedOf = (name: string) =>
    (categories[name]?.auditRefs ?? []).filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0);
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    largestPaintMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
    layoutShift: value("cumulative-layout-shift"),
    failed: [...failedOf("accessibility"), ...failedOf("best-practices")].map(({ id }) => id),
  };
}
