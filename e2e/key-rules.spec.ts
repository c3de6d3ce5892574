import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("an owner adds a rule for GitHub, learns why a token is not taken, and deletes the rule", async ({
  page,
  stack,
}) => {
  await openPage(page, `${stack.consoleUrl}/keys`);
  await page.getByRole("link", { name: "Key rules" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Key rules" })).toBeVisible();
  await page.getByRole("button", { name: "Add rule" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add rule" });
  await dialog.getByLabel("Name", { exact: true }).fill("Nightly");
  const claims = dialog.getByLabel("Claims that the token must have");
  await claims.fill("ref = refs/heads/main");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(dialog.getByText("GitHub Actions signs tokens for everybody")).toBeVisible();
  await expectAccessibleState(page);
  await claims.fill("repository_owner_id = 65\nref = refs/heads/*");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const table = page.getByRole("table", { name: "Key rules" });
  await expect(table.getByText("repository_owner_id = 65")).toBeVisible();
  await expect(page.getByLabel("Exchange a token")).toContainText("acct_");

  const claimed = { iss: "https://ci.example", aud: "elsewhere", sub: "job" };
  await page.getByLabel("Token", { exact: true }).fill(`${part({ alg: "RS256" })}.${part(claimed)}.c2ln`);
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("No rule takes this token.")).toBeVisible();
  await expect(page.getByText("The token's issuer is https://ci.example")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: /^None now/ }).click();
  await expect(page.getByText("No job has exchanged a token")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete Nightly" }).click();
  await page.getByRole("button", { name: "Delete rule" }).click();
  await expect(page.getByText("No rules yet")).toBeVisible();
});
