import { serveIssuers, signToken, times } from "../gateway/testing/workload.ts";
import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

test("a rule is made, tried with a token, gives a key, is changed, and deleted", async ({
  page,
  receiver,
  stack,
  ownerApi,
}) => {
  const issuers = serveIssuers(receiver);
  const issuer = issuers.issuer("jobs");
  const { audience, token_url } = (await ownerApi.get("/key_rules")) as Record<string, string>;
  const tokenOf = (branch: string) =>
    signToken(issuers.keys[0] as (typeof issuers.keys)[number], {
      ...{ iss: issuer, aud: audience, sub: "repo:shop", ref: branch, jti: crypto.randomUUID() },
      ...times(),
    });

  await openPage(page, "/keys/rules");
  await page.getByRole("button", { name: "Add rule" }).first().click();
  const form = page.getByRole("dialog", { name: "Add rule" });
  await form.getByRole("combobox", { name: "Platform" }).selectOption("Another issuer");
  await form.getByRole("textbox", { name: "Name" }).fill("nightly renders");
  await form.getByRole("textbox", { name: "Issuer" }).fill(issuer);
  const claims = "Claims that the token must have";
  await form.getByRole("textbox", { name: claims }).fill("ref = main");
  await form.getByRole("button", { name: "Add rule" }).click();
  const row = page.getByRole("row").filter({ hasText: "nightly renders" });
  await expect(row).toContainText("ref = main");

  const tester = page.getByRole("region", { name: "Test a token" });
  const tryToken = async (token: string) => {
    await tester.getByRole("textbox", { name: "Token" }).fill(token);
    await tester.getByRole("button", { name: "Test" }).click();
  };
  await tryToken("not a token");
  await expect(tester).toContainText("No rule can take this.");
  await tryToken(tokenOf("draft"));
  await expect(tester).toContainText("No rule takes this token.");
  await tryToken(tokenOf("main"));
  await expect(tester).toContainText("“nightly renders” takes this token.");
  await expectAccessible(page);

  const exchanged = await fetch(String(token_url), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: String(audience).split("/").at(-1) ?? "",
      subject_token: tokenOf("main"),
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    }),
  });
  const key = new GatewayApi(stack.gatewayUrl, String((await exchanged.json()).access_token));
  const models = () => key.send("POST", "/chat/completions", { model: "svc/chat-1", messages: [] });
  expect((await models()).status).not.toBe(401);
  await page.reload();
  await row.getByRole("button", { name: "1 now of nightly renders" }).click();
  const keys = page.getByRole("dialog", { name: "Keys of “nightly renders”" });
  await expect(keys.getByRole("row").filter({ hasText: "repo:shop" })).toBeVisible();
  await expectAccessibleState(page);
  await keys.getByRole("button", { name: "Close" }).click();

  // A limit leaves its keys alone; other claims end them.
  await row.getByRole("button", { name: "Edit nightly renders" }).click();
  const edit = page.getByRole("dialog", { name: "Edit “nightly renders”" });
  await expect(edit.getByRole("textbox", { name: claims })).toHaveValue("ref = main");
  await edit.getByText(/^Limits:/).click();
  await edit.getByRole("textbox", { name: "Requests per minute", exact: true }).fill("30");
  await expectAccessibleState(page);
  await edit.getByRole("button", { name: "Save rule" }).click();
  await expect(edit).toBeHidden();
  await expect(row).toContainText("1 now");
  await row.getByRole("button", { name: "Edit nightly renders" }).click();
  await edit.getByRole("textbox", { name: claims }).fill("ref");
  await edit.getByRole("button", { name: "Save rule" }).click();
  await expect(edit.getByText(/Give each line a name and a value/)).toBeVisible();
  await edit.getByRole("textbox", { name: claims }).fill("ref = draft");
  await edit.getByRole("button", { name: "Save rule" }).click();
  await expect(row).toContainText("ref = draft");
  await expect(row).toContainText("None now");
  expect((await models()).status).toBe(401);

  await row.getByRole("button", { name: "Delete nightly renders" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
  await expect(row).toBeHidden();
});
