import type { BrowserContext, Page } from "@playwright/test";

/** The errors and warnings that the page logs from now on, including policy violations. */
export async function complaintsOf(context: BrowserContext, page: Page): Promise<string[]> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
    );
  });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
