import { walkGallery } from "../bench/parts/gallery.ts";
import { expect, test } from "./fixtures.ts";
import { emptyGallery, fillGallery } from "./full-gallery.ts";

test("two thousand files scroll smoothly: few are rendered, and the browser is never blocked for long", async ({
  page,
  ownerApi,
  stack,
}) => {
  // bench/console.ts tests ten thousand files.
  const rows = 2_000;
  // On an idle machine, no task takes more than 50 ms (bench/console.ts). Here other tests run at the same
  // time, and the browser often waits for its turn. A gallery task that is really too slow would be slow on
  // each of its twenty pages.
  const maxMs = 250;
  const waits = 10;
  await page.setViewportSize({ width: 1440, height: 900 });
  await fillGallery(ownerApi, stack, rows);
  try {
    const { files, maxTiles, longTasksMs } = await walkGallery(page);
    console.log(
      `gallery: ${files} files, at most ${maxTiles} tiles, long tasks ${longTasksMs.slice(0, 6).join(", ")} ms`,
    );
    expect(files).toBeGreaterThanOrEqual(rows);
    expect(maxTiles).toBeLessThan(120);
    expect(longTasksMs.filter((ms) => ms > maxMs).length).toBeLessThanOrEqual(waits);
  } finally {
    await emptyGallery(stack);
  }
});
