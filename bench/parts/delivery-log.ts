import type { Locator, Page } from "@playwright/test";
import type { GatewayApi } from "../../e2e/gateway-api.ts";
import { openPage } from "../../e2e/pages/open-page.ts";
import type { Stack } from "../../e2e/stack.ts";
import { startReceiver } from "../../gateway/testing/receiver.ts";
import { type Task, watchLongTasks } from "./long-tasks.ts";

const atOnce = 16;
/** An endpoint accepts 60 test events a minute. */
const testsEach = 50;
const wheelPixels = 400;
const firstRow = "main tbody tr a[data-row-link]";

/** Sends test events until the log has this many deliveries. */
export async function fillLog(api: GatewayApi, stack: Stack, rows: number): Promise<void> {
  const receiver = await startReceiver(stack.certificate, stack.receiverPorts[1]);
  try {
    const { data } = (await api.get("/webhooks/deliveries?limit=100")) as { data: unknown[] };
    let left = rows - data.length;
    const send = async () => {
      while (left > 0) {
        const endpoint = await api.post("/webhooks/endpoints", { url: `${receiver.url}/log` });
        for (let test = 0; test < testsEach && left > 0; test += 1) {
          left -= 1;
          await api.post(`/webhooks/endpoints/${endpoint.id}/test`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
  } finally {
    await receiver.close();
  }
}

export interface LogWalk {
  rows: number;
  /** The longest task while scrolling, and while loading the next page. 0 if none took more than 50 ms. */
  scrollingMs: number;
  turningMs: number;
}

/** Scrolls every page of the log to its end and opens the next one, until the last row. */
export async function walkLog(page: Page): Promise<LogWalk> {
  await openPage(page, "/webhooks/deliveries");
  const older = page.getByRole("link", { name: "Older" });
  const tasks = await watchLongTasks(page);
  const scrolls: [fromMs: number, toMs: number][] = [];
  let rows = 0;
  for (;;) {
    rows += await page.locator("main tbody tr").count();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const fromMs = await tasks.now();
    await scrollToEnd(page);
    scrolls.push([fromMs, await tasks.now()]);
    if ((await older.count()) === 0) break;
    await turn(page, older);
  }
  const longest = (list: Task[]) => Math.max(0, ...list.map(({ durationMs }) => durationMs));
  const seen = await tasks.seen();
  const scrolling = seen.filter(({ startMs }) =>
    scrolls.some(([from, to]) => startMs >= from && startMs <= to),
  );
  const turning = seen.filter((task) => !scrolling.includes(task));
  return { rows, scrollingMs: longest(scrolling), turningMs: longest(turning) };
}

async function scrollToEnd(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.mouse.move(700, 500);
  for (let y = 0; y < height; y += wheelPixels) await page.mouse.wheel(0, wheelPixels);
}

async function turn(page: Page, older: Locator): Promise<void> {
  const first = await page.locator(firstRow).first().getAttribute("href");
  await older.click();
  await page.waitForFunction(([row, href]) => document.querySelector(row)?.getAttribute("href") !== href, [
    firstRow,
    first,
  ] as const);
}
