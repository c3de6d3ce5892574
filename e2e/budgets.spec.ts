import { expect, test } from "./fixtures.ts";
import { everyPage } from "./pages/every-page.ts";
import { scriptBudgetOf, scriptKilobytes } from "./pages/script-weight.ts";

test("every page stays within its script budget and logs no error", async ({ page, context, seedData }) => {
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
  for (const { name, path } of everyPage(seedData)) sizes[name] = await scriptKilobytes(page, path);
  const over = Object.entries(sizes).filter(([name, kB]) => kB > scriptBudgetOf(name));
  expect.soft(Object.fromEntries(over)).toEqual({});
  expect(complaints).toEqual([]);
});
