import { describe, expect, it } from "vitest";
import { inTurn } from "./in-turn.ts";

const route = (name: string, priority: number, weight: number | null = null) => ({ name, priority, weight });
const names = (routes: { name: string }[]) => routes.map(({ name }) => name).join(" ");

describe("the order in which routes are tried", () => {
  it("follows priority, then the table's order between equal routes without weights", () => {
    const routes = [route("c", 2), route("a", 1), route("b", 1)];
    for (let times = 0; times < 20; times += 1) expect(names(inTurn(routes))).toBe("a b c");
  });

  it("splits runs between equal routes by weight, and uses weight 0 only when the others fail", () => {
    const routes = [route("spare", 1, 0), route("one", 1, 1), route("three", 1, 3), route("first", 0)];
    const seconds: Record<string, number> = {};
    for (let times = 0; times < 4000; times += 1) {
      const order = inTurn(routes).map(({ name }) => name);
      expect([order[0], order[3]]).toEqual(["first", "spare"]);
      seconds[order[1] ?? ""] = (seconds[order[1] ?? ""] ?? 0) + 1;
    }
    expect((seconds.three ?? 0) / 4000).toBeCloseTo(0.75, 1);
  });

  it("puts a request's ranks before priorities; among equal ones these and the weights decide", () => {
    const ranks: Record<string, number[]> = {
      a: [1, 5],
      b: [0, Number.POSITIVE_INFINITY],
      c: [1, 5],
      d: [0, 3],
    };
    const routes = [route("a", 0, 0), route("b", 0), route("c", 0, 1), route("d", 9)];
    expect(names(inTurn(routes, Math.random, ({ name }) => ranks[name] ?? []))).toBe("d b c a");
  });

  it("counts a route without a weight as 1 beside others", () => {
    expect(names(inTurn([route("a", 0, 0), route("b", 0)]))).toBe("b a");
  });
});
