import type { Page } from "@playwright/test";
import { openLongConversation } from "../../e2e/pages/long-conversation.ts";

const characters = 20_000;
const keys = 120;

/** Types into the first text box of an open playground; milliseconds from each key to the frame that shows it. */
export async function typeInLongPrompt(page: Page): Promise<number[]> {
  const box = page.locator("main textarea").first();
  await box.fill("words of a long prompt ".repeat(characters).slice(0, characters - keys));
  await box.press("End");
  return typeKeys(page);
}

/** The same below a conversation of 200 messages. */
export async function typeInConversation(page: Page): Promise<number[]> {
  await openLongConversation(page);
  return typeKeys(page);
}

async function typeKeys(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const took: number[] = [];
    Object.assign(window, { keyTimes: took });
    const onKey = () => {
      const at = performance.now();
      requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - at)));
    };
    document.addEventListener("keydown", onKey, true);
  });
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press("a");
    await page.waitForFunction(
      (count) => (window as never as { keyTimes: number[] }).keyTimes.length > count,
      key,
    );
  }
  return page.evaluate(() => (window as never as { keyTimes: number[] }).keyTimes);
}
