import { describe, expect, it } from "vitest";
import { FairQueue } from "./queue.ts";

const never = new AbortController().signal;

/** Jobs that the test ends; records the order in which they start. */
function jobs(queue: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (account: string, name: string, signal = never) =>
    queue.run(account, signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, add, end };
}

describe("the queue of media jobs", () => {
  it("lets accounts take turns, in order of arrival within each", async () => {
    const { begun, add, end } = jobs(new FairQueue(1));
    for (const [account, name] of [
      ["a", "a1"],
      ["a", "a2"],
      ["a", "a3"],
      ["b", "b1"],
    ] as const)
      void add(account, name);
    await end("nobody");
    for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("runs no more than its slots, and drops what is aborted while it waits", async () => {
    const { begun, add, end } = jobs(new FairQueue(2));
    const gone = new AbortController();
    void add("a", "one");
    void add("a", "two");
    const dropped = add("a", "dropped", gone.signal);
    void add("a", "three");
    gone.abort(new Error("gone"));
    await expect(dropped).rejects.toThrow("gone");
    expect(begun).toEqual(["one", "two"]);
    await end("one");
    expect(begun).toEqual(["one", "two", "three"]);
  });
});
