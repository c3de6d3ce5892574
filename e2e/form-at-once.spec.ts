import { expect, test } from "./fixtures.ts";

test("the playground's fields are visible before any script runs", async ({ browser, ownerState, stack }) => {
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: stack.consoleUrl,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto("/playground/svc/vid-r2v/video-generation");
  const input = page.getByRole("region", { name: "Input" });
  await expect(input.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue(/\w/);
  await expect(input.getByRole("group", { name: /^Media/ })).toBeVisible();
  await expect(input.locator("[aria-busy=true]")).toHaveCount(0);
  await context.close();
});

test("the fields contain this browser's stored draft after a reload, and nothing is rendered twice", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const prompt = page
    .getByRole("region", { name: "Input" })
    .getByRole("textbox", { name: "Prompt", exact: true });
  await page.goto("/playground/svc/vid-t2v/video-generation");
  await expect(async () => {
    await prompt.fill("a heron between the reeds");
    await page.reload();
    await expect(prompt).toHaveValue("a heron between the reeds", { timeout: 2000 });
  }).toPass();
  expect(complaints).toEqual([]);
});
