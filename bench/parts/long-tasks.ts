import type { Page } from "@playwright/test";

export interface Task {
  startMs: number;
  /** Always above 50 ms, because browsers do not report shorter tasks. */
  durationMs: number;
}

const settleMs = 200;

/** Watches the page's main thread from now on. `seen()` returns its long tasks, in the page's own time. */
export async function watchLongTasks(
  page: Page,
): Promise<{ seen(): Promise<Task[]>; now(): Promise<number> }> {
  await page.evaluate(() => {
    const tasks: { startMs: number; durationMs: number }[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        tasks.push({ startMs: startTime, durationMs: duration });
    }).observe({ type: "longtask" });
  });
  return {
    now: () => page.evaluate(() => performance.now()),
    async seen() {
      // The browser reports long tasks with a delay.
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), settleMs);
      return page.evaluate(() => (window as never as { longTasks: Task[] }).longTasks);
    },
  };
}
