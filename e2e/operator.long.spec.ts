import { replicatePictures } from "../gateway/models/configuration/models/testing/published.ts";
import { startReplicateServer } from "../gateway/models/providers/testing/replicate-server.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { keptInPage } from "./pages/credentials.ts";
import { isAlive } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { signIn } from "./pages/sign-in.ts";
import { Traffic } from "./pages/traffic.ts";
import { startStack } from "./stack.ts";

test.use(signedOut);

const key = "r8_lighthouse7keeper3of9the2northern4sea";
const spareKey = "r8_another7keeper3of9the2southern4bay";

test("an operator gets from nothing to a picture of an imported model, without a terminal", async ({
  page,
  context,
}) => {
  const replicate = await startReplicateServer();
  replicate.models = { "acme/fast-pictures": replicatePictures };
  replicate.end = { status: "succeeded", output: "ORIGIN/files/out.png" };
  const { stack, stop } = await startStack();
  const traffic = new Traffic(context);
  try {
    await signIn(page, stack, "/operator/providers");
    await isAlive(page);
    await page.getByRole("link", { name: "Add first provider" }).click();
    await page.getByRole("link", { name: "Replicate", exact: true }).click();
    await page.getByLabel(/^API key/).fill(key);
    await page.getByLabel(/^Address/).fill(`${replicate.origin}/v1`);
    await page.getByLabel("Allow this private address").check();
    const regions = page.getByRole("group", { name: "Regions" }).getByRole("checkbox", { checked: true });
    await expect(regions.nth(1)).toBeVisible();
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Save and test" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /replicate/ })).toBeVisible();
    // One line per region: all regions that its models need are ticked.
    await expect(page.getByText(`Key: ends in ${key.slice(-4)}`).first()).toBeVisible();
    expect(await keptInPage(page)).not.toContain(key);

    // The test report has buttons that fix the reported problems.
    await page.getByRole("button", { name: "Test now" }).waitFor();
    const [changeAddress, testNow] = [
      page.getByRole("button", { name: "Change address" }),
      page.getByRole("button", { name: "Test now" }),
    ];
    replicate.trouble(/account/, { status: 401 }, 20);
    await testNow.click();
    await changeAddress.click();
    await expect(page.getByRole("dialog").getByLabel(/^Origins of outputs/)).toBeVisible();
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Cancel" }).click();

    // A second key is a spare for the first.
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Several keys…" }).click();
    const keys = page.getByRole("dialog", { name: "Keys of replicate" });
    await keys.getByRole("button", { name: "Add a key" }).click();
    await keys.getByLabel(/^Name/).fill("spare");
    await keys.getByLabel(/^API key/).fill(spareKey);
    await keys.getByLabel("Share").last().fill("0");
    await expect(keys.getByText("main gets 100 %")).toBeVisible();
    await expect(keys.getByText("spare is used only when no other key is available.")).toBeVisible();
    await expectAccessibleState(page);
    await keys.getByRole("button", { name: "Save keys" }).click();
    // Under the mouse the message stays, however long the page takes.
    await page.getByText("Keys of replicate saved").hover();
    // In every region that had the same key.
    const spares = page.getByText(`spare: ends in ${spareKey.slice(-4)}, share 0`);
    await expect(spares.nth(1)).toBeVisible();
    await expect(page.getByRole("button", { name: "Change keys" })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect(page.getByRole("button", { name: "Replace key" })).toBeVisible();

    await page.getByRole("link", { name: "Import a model" }).click();
    await page.getByRole("combobox", { name: "Provider's model" }).fill("acme/fast-pictures");
    await page.getByRole("button", { name: "Read the form" }).click();
    const form = page.getByRole("region", { name: "Form", exact: true });
    await expect(form.getByRole("textbox", { name: /^Prompt/ })).toBeVisible();
    await expect(form.getByText("16:9")).toBeVisible();
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Add model" }).click();
    await expect(page.getByText("acme/fast-pictures added to the catalog")).toBeVisible();

    await page.getByRole("link", { name: "Open in the playground" }).click();
    const playground = new Playground(page);
    // The previous page has a field of this name, too.
    await playground.input.getByRole("textbox", { name: /^Prompt/ }).fill("A lighthouse in fog");
    await playground.run.click();
    await expect(playground.result.getByText("Succeeded", { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(playground.result.getByRole("img").first()).toBeVisible();
    const [asked] = replicate.created();
    expect(asked?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.stringify(asked?.json())).toContain("A lighthouse in fog");

    // The key was sent once and occurs in no response.
    await traffic.settled();
    const exchanges = await traffic.exchanges();
    expect(exchanges.length).toBeGreaterThan(0);
    for (const secret of [key, spareKey])
      expect(exchanges.filter(({ text }) => text.includes(secret)).map(({ url }) => url)).toEqual([]);
    expect(traffic.urls.filter((url) => url.includes(key))).toEqual([]);
    expect(await keptInPage(page)).not.toContain(key);
  } finally {
    await stop();
    await replicate.close();
  }
});
