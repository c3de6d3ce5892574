import { mkdirSync } from "node:fs";
import { test } from "./fixtures.ts";
import { withIds } from "./pages/every-page.ts";
import { openPage } from "./pages/open-page.ts";

const folder = "/tmp/shots-presets";
test("shots", async ({ page, seedData }) => {
  test.setTimeout(600_000);
  mkdirSync(folder, { recursive: true });
  const paths = (
    process.env.SHOTS ??
    "/presets/:preset?from=1&to=2 /presets/:preset /catalog /catalog?view=table /predictions/:prediction /playground/svc/vid-r2v/video-generation /playground/svc/chat-1/chat-completions"
  ).split(" ");
  for (const path of paths) {
    const name = path.replaceAll(/\W+/g, "-");
    for (const [size, viewport] of [
      ["desktop", { width: 1280, height: 800 }],
      ["phone", { width: 390, height: 844 }],
    ] as const) {
      await page.setViewportSize(viewport);
      await openPage(page, withIds(path, seedData));
      await page.waitForLoadState("networkidle");
      for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme as "light" });
        await page.evaluate((t) => document.documentElement.setAttribute("data-theme", t), theme);
        await page.screenshot({
          path: `${folder}/${name}-${size}-${theme}.png`,
          fullPage: size === "desktop",
        });
      }
    }
  }
});
