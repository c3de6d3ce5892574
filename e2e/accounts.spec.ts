import type { Page } from "@playwright/test";
import { makeAccount } from "./command-line.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { isAlive, openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";
import { signIn } from "./pages/sign-in.ts";
import type { Stack } from "./stack.ts";

const person = { email: "both@example.com", password: "gatehouse-e2e-both" };
const boss = { email: "second-owner@example.com", password: "gatehouse-e2e-second" };

test("two tabs of a person with two accounts each stay in their account", async ({
  browser,
  stack,
  ownerApi,
}) => {
  const first = await invitedTo(ownerApi, stack, true);
  await makeAccount(stack, boss);
  const bossApi = await GatewayApi.signIn({ ...stack, owner: boss });
  const second = await invitedTo(bossApi, stack, false);
  const context = await browser.newContext(signedOut);
  const here = await context.newPage();
  await signIn(here, { ...stack, owner: person }, "/keys");

  // An address without an account leads to the account that the person joined first.
  await expect(here).toHaveURL(`${stack.consoleUrl}/a/${first.id}/keys`);
  const there = await context.newPage();
  await openPage(there, `/a/${second.id}/keys`);

  await createKey(here, "of the first");
  await createKey(there, "of the second");
  for (const [page, own, other] of [
    [here, "of the first", "of the second"],
    [there, "of the second", "of the first"],
  ] as const) {
    await page.reload();
    await isAlive(page);
    await expect(page.getByRole("row").filter({ hasText: own })).toBeVisible();
    await expect(page.getByText(other)).toHaveCount(0);
  }
  expect(await keyNames(ownerApi)).toContain("of the first");
  expect(await keyNames(bossApi)).toEqual(["of the second"]);

  // Links, streaming runs and browser reads stay in the tab's account.
  await there.getByRole("button", { name: "Build", exact: true }).click();
  await there.getByRole("link", { name: "Catalog" }).first().click();
  await expect(there).toHaveURL(new RegExp(`/a/${second.id}/catalog$`));
  await openPage(there, `/a/${second.id}/playground/svc/chat-1/chat-completions`);
  await there.getByRole("textbox", { name: "Message", exact: true }).fill("Which account is this?");
  await there.getByRole("button", { name: "Send", exact: true }).click();
  await expect(there.getByRole("article")).toContainText("Which account is this?");
  await expect
    .poll(async () => JSON.stringify(await bossApi.get("/requests?route=/v1/chat/completions")))
    .toContain("svc/chat-1");

  await here.getByRole("button", { name: /^Account: .*Switch account$/ }).click();
  await here.getByRole("menuitem", { name: new RegExp(second.name) }).click();
  await expect(here).toHaveURL(`${stack.consoleUrl}/a/${second.id}`);
  await expect(here.getByRole("button", { name: `Account: ${second.name}. Switch account` })).toBeVisible();

  // After the person is removed from one account, its pages explain that and link to the other account.
  await bossApi.delete(`/account/members/${second.userId}`);
  await here.reload();
  await expect(here.getByText("You are not a member of this account")).toBeVisible();
  await here.getByRole("link", { name: first.name }).click();
  await expect(here.getByRole("heading", { level: 1 })).toBeVisible();
  await context.close();
});

/** Invites the person as a member and accepts on their behalf. */
async function invitedTo(api: GatewayApi, { gatewayUrl }: Stack, isNew: boolean) {
  const { token } = await api.post("/account/invitations", { email: person.email, role: "member" });
  const accepted = await new GatewayApi(gatewayUrl, "").post("/account/invitations/accept", {
    token,
    password: person.password,
    ...(isNew && { name: "Both" }),
  });
  const { user } = accepted.account as { user: { id: string } };
  const { id, name } = await api.get("/account");
  return { id: String(id), name: String(name), userId: user.id };
}

async function createKey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await new SecretDialog(page, "account key").close();
}

async function keyNames(api: GatewayApi): Promise<string[]> {
  const { data } = (await api.get("/keys")) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}
