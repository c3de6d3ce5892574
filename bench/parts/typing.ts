import type { Page } from "@playwright/test";
import { openLongConversation } from "../../e2e/pages/long-conversation.ts";

const characters = 20_000;
const keys = 120;

/** Response times of keystrokes, in ms. */
export interface Typing {
  /** Until the page's layout is updated: the time of the console's code. */
  work: number[];
  /** Until the frame that shows the change, for which a keystroke waits up to 17 ms. */
  shown: number[];
}

/** Types into the first text box of an open playground. */
export async function typeInLongPrompt(page: Page): Promise<Typing> {
  const box = page.locator("main textarea").first();
  await box.fill("words of a long prompt ".repeat(characters).slice(0, characters - keys));
  await box.press("End");
  return typeKeys(page);
}

/** Types below a conversation of 200 messages. */
export async function typeInConversation(page: Page): Promise<Typing> {
  await openLongConversation(page);
  return typeKeys(page);
}

async function typeKeys(page: Page): Promise<Typing> {
  await page.evaluate(() => {
    const typing: Typing = { work: [], shown: [] };
    Object.assign(window, { typing });
    let startedAt = 0;
    const onKey = () => {
      const at = performance.now();
      startedAt = at;
      requestAnimationFrame(() => setTimeout(() => typing.shown.push(performance.now() - at)));
    };
    // React has rendered the change by the time this event arrives.
    const onInput = () => {
      document.body.getBoundingClientRect();
      typing.work.push(performance.now() - startedAt);
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("input", onInput);
  });
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press("a");
    await page.waitForFunction((count) => (window as never as Typed).typing.shown.length > count, key);
  }
  return page.evaluate(() => (window as never as Typed).typing);
}

interface Typed {
  typing: Typing;
}
