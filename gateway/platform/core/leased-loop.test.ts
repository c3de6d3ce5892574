import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type SlotLoop, startSlotLoop } from "./leased-loop.ts";

/** Longer than any test, so that the loop looks only when it is woken. */
const neverMs = 3_600_000;
const logLines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });

interface Job {
  id: number;
  done: PromiseWithResolvers<void>;
}

let loop: SlotLoop | null = null;
let queue: Job[] = [];
let running: Job[] = [];
afterEach(async () => {
  for (const job of [...queue, ...running]) job.done.resolve();
  await loop?.stop();
  queue = [];
  running = [];
  logLines.length = 0;
});

function jobs(count: number): Job[] {
  return Array.from({ length: count }, (_, id) => ({ id, done: Promise.withResolvers<void>() }));
}

function start(slots: number, pollMs = neverMs, claim = async (limit: number) => queue.splice(0, limit)) {
  loop = startSlotLoop<Job>({
    name: "test",
    log,
    slots,
    pollMs,
    claim,
    async run(job) {
      running.push(job);
      await job.done.promise;
      running = running.filter((one) => one !== job);
    },
  });
  return loop;
}

const runningIds = () => running.map(({ id }) => id);

describe("a slot loop", () => {
  it("runs as many jobs at once as it has slots, and fills a free slot at once", async () => {
    const all = jobs(5);
    queue = [...all];
    start(2);
    await vi.waitFor(() => expect(runningIds()).toEqual([0, 1]));
    expect(queue).toHaveLength(3);
    all[1]?.done.resolve();
    await vi.waitFor(() => expect(runningIds()).toEqual([0, 2]));
    all[2]?.done.resolve();
    await vi.waitFor(() => expect(runningIds()).toEqual([0, 3]));
  });

  it("looks for work when it is woken, at a requested time, and periodically", async () => {
    const woken = start(1);
    const [first, second] = jobs(2);
    if (!first || !second) throw new Error("two jobs");
    queue = [first];
    woken.wake();
    await vi.waitFor(() => expect(runningIds()).toEqual([0]));
    first.done.resolve();
    await vi.waitFor(() => expect(runningIds()).toEqual([]));
    queue = [second];
    woken.wakeIn(5);
    await vi.waitFor(() => expect(runningIds()).toEqual([1]));
    second.done.resolve();
    await woken.stop();
    start(1, 5);
    queue = jobs(1);
    await vi.waitFor(() => expect(runningIds()).toEqual([0]));
  });

  it("does not miss work that arrives while it looks", async () => {
    const [late] = jobs(1);
    const looked = Promise.withResolvers<void>();
    const looking = Promise.withResolvers<void>();
    let looks = 0;
    const woken = start(1, neverMs, async (limit) => {
      looks += 1;
      if (looks > 1) return queue.splice(0, limit);
      looking.resolve();
      await looked.promise;
      return [];
    });
    await looking.promise;
    if (late) queue = [late];
    woken.wake();
    looked.resolve();
    await vi.waitFor(() => expect(runningIds()).toEqual([0]));
  });

  it("continues after a failed look or job, and logs it", async () => {
    let looks = 0;
    const woken = start(1, neverMs, async (limit) => {
      looks += 1;
      if (looks === 1) throw new Error("no database");
      return queue.splice(0, limit);
    });
    await vi.waitFor(() => expect(logLines.join("")).toContain("no database"));
    const [bad, good] = jobs(2);
    if (!bad || !good) throw new Error("two jobs");
    queue = [bad, good];
    bad.done.reject(new Error("a job's defect"));
    woken.wake();
    await vi.waitFor(() => expect(running).toContain(good));
    expect(logLines.join("")).toContain("a job's defect");
  });

  it("takes no new work when it stops, and waits for running jobs", async () => {
    const all = jobs(2);
    queue = [...all];
    const stopping = start(1);
    await vi.waitFor(() => expect(runningIds()).toEqual([0]));
    let stopped = false;
    const stop = stopping.stop().then(() => {
      stopped = true;
    });
    await Promise.resolve();
    expect(stopped).toBe(false);
    all[0]?.done.resolve();
    await stop;
    stopping.wake();
    await Promise.resolve();
    expect(queue).toHaveLength(1);
  });
});
