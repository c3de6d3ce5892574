import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const refused = new Error("refused");

/** A queue that runs one job at a time; the test ends each job. */
function queue(limits: { waitingPerGroup: number; waiting: number }) {
  const fair = new FairQueue({ atOnce: 1, ...limits, refuse: () => refused });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (group: string) =>
    fair
      .run(group, () => {
        begun.push(group);
        return new Promise<string>((resolve) => ends.push(() => resolve(group)));
      })
      .catch((error: Error) => error.message);
  const endAll = async () => {
    for (let idle = 0; idle < 3; idle += 1) {
      for (let end = ends.shift(); end; end = ends.shift()) {
        end();
        await new Promise((resolve) => setImmediate(resolve));
        idle = 0;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { add, begun, endAll };
}

it("lets groups take turns, however much one of them sends", async () => {
  const { add, begun, endAll } = queue({ waitingPerGroup: 5, waiting: 100 });
  const many = Array.from({ length: 8 }, () => add("a"));
  const few = [add("b"), add("c"), add("b")];
  await endAll();
  expect(begun).toEqual(["a", "a", "b", "c", "a", "b", "a", "a", "a"]);
  expect(await Promise.all(few)).toEqual(["b", "c", "b"]);
  expect((await Promise.all(many)).filter((one) => one === "refused")).toHaveLength(2);
});

it("makes room for the others when it is full, at the cost of the group with the most waiting", async () => {
  const { add, begun, endAll } = queue({ waitingPerGroup: 5, waiting: 5 });
  const many = Array.from({ length: 6 }, () => add("a"));
  const others = ["b", "c", "d", "e", "f"].map(add);
  await endAll();
  expect(await Promise.all(others)).toEqual(["b", "c", "d", "e", "refused"]);
  expect((await Promise.all(many)).filter((one) => one === "a")).toHaveLength(2);
  expect(begun).toHaveLength(6);
});

it("continues after work that failed", async () => {
  const fair = new FairQueue({ atOnce: 1, waitingPerGroup: 5, waiting: 5, refuse: () => refused });
  const failed = fair.run("a", () => Promise.reject(new Error("broken")));
  const next = fair.run("a", () => Promise.resolve("done"));
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
});
