import { makeAccount } from "./command-line.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { isAlive } from "./pages/open-page.ts";
import { signIn } from "./pages/sign-in.ts";

test.use(signedOut);

test("an owner schedules the deletion of the account, and cancels it on any page", async ({
  page,
  stack,
}) => {
  const owner = { email: "closing@example.com", password: "gatehouse-e2e-closing" };
  await makeAccount(stack, owner);
  await signIn(page, { ...stack, owner }, "/settings");
  await isAlive(page);
  await page.getByRole("button", { name: "Delete account…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete closing?" });
  await expect(dialog.getByText(/1 member, of whom 1 in no other account/)).toBeVisible();
  await expectAccessible(page);
  const name = dialog.getByRole("textbox");
  await name.fill("clothing");
  await dialog.getByRole("button", { name: "Delete account in a week" }).click();
  await expect(dialog.getByText("This is not the name of the account.")).toBeVisible();
  await name.fill("closing");
  await dialog.getByRole("button", { name: "Delete account in a week" }).click();

  const notice = page.getByRole("region", { name: "Deletion of the account" });
  await expect(notice).toContainText("No new run can start until then");
  await expect(page.getByRole("button", { name: "Delete account…" })).toHaveCount(0);
  await page.goto(`${stack.consoleUrl}/predictions`);
  await expectAccessible(page);
  await notice.getByRole("button", { name: "Cancel deletion" }).click();
  await expect(notice).toHaveCount(0);
});
