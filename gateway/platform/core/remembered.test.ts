import { afterEach, expect, it, vi } from "vitest";
import { Remembered } from "./remembered.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("reads once for many callers, and again when the value is too old", async () => {
  vi.useFakeTimers();
  let loads = 0;
  const remembered = new Remembered(
    async () => ({ loads: ++loads }),
    1000,
    () => false,
  );
  const asked = await Promise.all([remembered.read(), remembered.read(), remembered.read()]);
  expect(asked.map((value) => value.loads)).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect((await remembered.read()).loads).toBe(1);
  vi.advanceTimersByTime(1);
  expect((await remembered.read()).loads).toBe(2);
  expect((await remembered.readNow()).loads).toBe(3);
  expect((await remembered.read()).loads).toBe(3);
});

it("returns the last value while reading fails because of an outage, and hides no other error", async () => {
  const errors: Error[] = [];
  const remembered = new Remembered(
    async () => {
      const error = errors.shift();
      if (error) throw error;
      return { is: "read" };
    },
    0,
    (error) => (error as Error).message === "away",
  );
  errors.push(new Error("away"));
  await expect(remembered.read()).rejects.toThrow("away");
  expect(await remembered.read()).toEqual({ is: "read" });
  errors.push(new Error("away"));
  expect(await remembered.read()).toEqual({ is: "read" });
  errors.push(new Error("wrong"));
  await expect(remembered.read()).rejects.toThrow("wrong");
});
