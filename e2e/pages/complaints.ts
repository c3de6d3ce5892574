import type { BrowserContext, Page } from "@playwright/test";

/**
 * Chromium has the fonts of the page before in its memory, and says of a page that stays for some seconds that it did
 * not use them.
 */
const keptFont = /\/fonts\/\S+ was preloaded using link preload but not used/;

/** The errors and warnings that the page logs from now on, including policy violations. */
export async function complaintsOf(context: BrowserContext, page: Page): Promise<string[]> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
    );
  });
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !keptFont.test(text)) complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
