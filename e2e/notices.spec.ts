import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

type List = { data: unknown[] };

test("the bell counts unread notices, each line links to its page, and the notices page lists them", async ({
  page,
  stack,
  ownerApi,
}) => {
  // The bell shows only the newest notices, and other tests cause some, too.
  await ownerApi.post("/notices/read_all", {});
  const email = `ada-${Date.now()}@example.org`;
  const { token } = (await ownerApi.post("/account/invitations", { email, role: "viewer" })) as {
    token: string;
  };
  const stranger = new GatewayApi(stack.gatewayUrl, "");
  await stranger.post("/account/invitations/accept", {
    token,
    name: "Ada <b>Lovelace</b>",
    password: "four words apart",
  });
  await expect
    .poll(
      async () => ((await ownerApi.get("/notices?unread=true&cause=member.joined")) as List).data.length,
      {
        timeout: 30_000,
      },
    )
    .toBeGreaterThan(0);

  await openPage(page, "/usage");
  const bell = page.getByRole("button", { name: /^Notices, \d+ unread$/ });
  await bell.click();
  const line = page.getByRole("menuitem", { name: /joined the account/ }).first();
  await expect(line).toBeVisible();
  await expectAccessibleState(page);
  await line.click();
  await expect(page).toHaveURL(/\/settings\/team$/);
  await expect(page.getByRole("button", { name: /^Notices/ })).toBeVisible();

  await openPage(page, "/notices");
  const row = page.getByRole("row").filter({ hasText: "joined the account" }).first();
  await expect(row).toBeVisible();
  await expect(row.getByText("unread")).toHaveCount(0);
  await page.getByRole("combobox", { name: "Cause" }).selectOption("member.joined");
  await expect(page).toHaveURL(/cause=member\.joined/);
  await expectAccessible(page);
});

test("people choose their notices one by one, and a chat is added without showing its address", async ({
  page,
  receiver,
}) => {
  await openPage(page, "/settings/notifications");
  const box = page.getByRole("checkbox", { name: "Outputs are about to be removed: in the console" });
  await expect(box).not.toBeChecked();
  await box.check();
  await page.waitForLoadState("networkidle");
  await page.reload();
  await expect(box).toBeChecked();
  await box.uncheck();

  await page.getByRole("button", { name: "Add incoming webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add incoming webhook" });
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expect(form.getByText("Enter a name.")).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("ops");
  await form.getByLabel("URL").fill("http://hooks.slack.com/secret-part");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await expect(form.getByText(/must start with https/)).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("URL").fill(`${receiver.url}/secret-part`);
  await form.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "ops" });
  await expect(row).toContainText("/…part");
  await row.getByRole("button", { name: "Send a test message to ops" }).click();
  await expect(page.getByText("Test message sent to ops")).toBeVisible();
  // Notices that other tests caused may have arrived, too.
  await receiver.next(({ path }) => path === "/secret-part");
  expect(await page.content()).not.toContain("secret-part");
  await row.getByRole("button", { name: "Delete ops" }).click();
  await page.getByRole("dialog", { name: "Delete ops" }).getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
});
