import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const run = promisify(execFile);

test("five clicks lead from Home to a working call", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page, "/");
  let clicks = 0;
  const click = async (role: "link" | "button" | "tab", name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: typeof name === "string" }).click();
  };
  await click("link", /^(Run a model|Open the catalog)$/);
  await click("link", "Try svc/chat-1");
  await click("tab", "Code");
  await click("button", "Create a key for this code");
  await expect(page.getByText(/The code that you copy has the new key “Code for svc\/chat-1”/)).toBeVisible();
  await expectAccessible(page);
  await click("button", "Copy code");
  expect(clicks).toBe(5);

  const code = await page.evaluate(() => navigator.clipboard.readText());
  const [key = ""] = /svc_live_\w+/.exec(code) ?? [];
  // Other people may see the screen.
  expect(await page.content()).not.toContain(key);
  const { stdout } = await run("bash", ["-c", code]);
  expect(stdout).toContain("data: [DONE]");
});
