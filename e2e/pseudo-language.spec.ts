import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { consolePages, withIds } from "./pages/every-page.ts";
import { buttonsOf, clickButton, LanguageCheck } from "./pages/language-check.ts";
import { isAlive } from "./pages/open-page.ts";
import { signIn } from "./pages/sign-in.ts";
import { ownersTexts, seed } from "./seed-data.ts";
import { startStack } from "./stack.ts";

/** What the seed calls its own things, and its owner. */
const seedTexts = ["owner", "Herons", "Herons compared", "Archive", "archive", "gallery", ...ownersTexts];

// With an installation of its own, so that no other test's names are on the pages.
test("pages, dialogs and menus have no text in markup, and nothing that a longer language cuts", async ({
  browser,
}) => {
  const { stack, stop } = await startStack();
  try {
    const seedData = await seed(await GatewayApi.signIn(stack), stack);
    const signedIn = await browser.newContext();
    await signIn(await signedIn.newPage(), stack);
    const context = await browser.newContext({
      storageState: await signedIn.storageState(),
      baseURL: stack.consoleUrl,
      locale: "en-XA",
    });
    const page = await context.newPage();
    const check = new LanguageCheck(page, "en-XA", seedTexts);
    const open = async (path: string) => {
      await page.goto(path);
      await isAlive(page);
      await expect(page.getByRole("main")).toContainText("⟦");
    };
    const clicked = new Set<string>();
    const isNew = ({ label }: { label: string }) =>
      label.includes("⟦") && !/^⟦Copy \w+_/.test(label) && clicked.size < clicked.add(label).size;
    /** Clicks each button with a new name, and each item of a menu that leads to a dialog. */
    const lookAtOpened = async (name: string, path: string) => {
      for (const { at, label } of (await buttonsOf(page, "page")).filter(isNew)) {
        const opened = await clickButton(page, "page", at);
        if (opened) await check.look(`${name}: ${label}`, opened);
        const items = opened === "menu" ? await buttonsOf(page, "menu") : [];
        for (const item of items.filter(({ label }) => label.includes("…")).filter(isNew)) {
          if ((await clickButton(page, "menu", item.at)) === "dialog")
            await check.look(`${name}: ${label}: ${item.label}`, "dialog");
          await open(path);
          await clickButton(page, "page", at);
        }
        if (opened || new URL(page.url()).pathname !== new URL(path, stack.consoleUrl).pathname)
          await open(path);
      }
    };
    for (const { name, path } of consolePages) {
      await open(withIds(path, seedData));
      await page.waitForLoadState("networkidle");
      await check.look(name);
      await lookAtOpened(name, withIds(path, seedData));
    }
    expect(check.faults).toEqual([]);
    await Promise.all([signedIn, context].map((each) => each.close()));
  } finally {
    await stop();
  }
});
