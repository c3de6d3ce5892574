import { spawnSync } from "node:child_process";
import { createSecretKey } from "node:crypto";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { RegionKey } from "./configuration.ts";
import { Conversation } from "./conversation.ts";
import { inTurn } from "./in-turn.ts";
import { KeyRing } from "./upstreams/key-ring.ts";

const many = 10_000;
const secret = createSecretKey(Buffer.from("a secret of this installation"));
const conversations = Array.from(
  { length: many },
  (_, at) => new Conversation(secret, () => `conversation ${at}`),
);
const limited = new ProviderError("upstream_rate_limited", "Busy.", { started: "no", retryAfterMs: 5_000 });

function keysOf(shares: Record<string, number>, concurrency: number | null = null): RegionKey[] {
  const rules = { secret: null, perMinute: null, concurrency };
  return Object.entries(shares).map(([name, share]) => ({ name, share, ...rules }));
}

/** The key of each conversation, which is released at once. */
function keyOf(ring: KeyRing, conversation: Conversation): string | undefined {
  const key = ring.take(conversation);
  key?.leave();
  return key?.name;
}

function sharesOf(names: readonly (string | undefined)[]): Record<string, number> {
  const shares: Record<string, number> = {};
  for (const name of names) shares[String(name)] = (shares[String(name)] ?? 0) + 1 / names.length;
  return shares;
}

function expectShares(found: Record<string, number>, weights: Record<string, number>): void {
  const sum = Object.values(weights).reduce((one, other) => one + other, 0);
  for (const [name, weight] of Object.entries(weights))
    expect(Math.abs((found[name] ?? 0) - weight / sum), name).toBeLessThan(0.02);
}

describe("the draw for a conversation", () => {
  it.each([
    { a: 1, b: 1, c: 1, d: 1 },
    { main: 5, second: 3, third: 2 },
    { "key-1": 90, "key-2": 9, "key-3": 1, spare: 0 },
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 1 + (at % 3)])),
  ])("gives each key its share: %j", (weights) => {
    const ring = new KeyRing(keysOf(weights as Record<string, number>));
    expectShares(sharesOf(conversations.map((one) => keyOf(ring, one))), weights as Record<string, number>);
  });

  it("is independent for routes and keys, also if they have the same names", () => {
    const weights = { a: 2, b: 1 };
    const routes = Object.entries(weights).map(([name, weight]) => ({ name, weight, priority: 0 }));
    const ring = new KeyRing(keysOf(weights));
    const ofRoute = conversations.filter(
      (one) => inTurn(routes, ({ name }) => one.draw(`${name}\n${name}\n0`))[0]?.name === "a",
    );
    expect(Math.abs(ofRoute.length / many - 2 / 3)).toBeLessThan(0.02);
    expectShares(sharesOf(ofRoute.map((one) => keyOf(ring, one))), weights);
  });

  it("is the same in every process", () => {
    const weights = { a: 1, b: 2, c: 3 };
    const ring = new KeyRing(keysOf(weights));
    const module = (name: string) => JSON.stringify(path.join(import.meta.dirname, name));
    const program = `
      const { createSecretKey } = await import("node:crypto");
      const secret = createSecretKey(Buffer.from("a secret of this installation"));
      const { Conversation } = await import(${module("conversation.ts")});
      const { KeyRing } = await import(${module("upstreams/key-ring.ts")});
      const ring = new KeyRing(${JSON.stringify(keysOf(weights))});
      const names = Array.from({ length: 200 }, (_, at) => ring.take(new Conversation(secret, () => "conversation " + at)).name);
      console.log(JSON.stringify(names));`;
    const other = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect(JSON.parse(other.stdout)).toEqual(conversations.slice(0, 200).map((one) => keyOf(ring, one)));
  });

  it("leaves a favourite only while it rests, and moves no conversation of another one", () => {
    let now = 1_000_000;
    const ring = new KeyRing(keysOf({ a: 1, b: 1, c: 1, d: 1 }), () => now);
    const before = conversations.map((one) => keyOf(ring, one));
    ring.failed("b", limited);
    const during = conversations.map((one) => keyOf(ring, one));
    for (const [at, name] of before.entries())
      if (name === "b") expect(during[at]).not.toBe("b");
      else expect(during[at]).toBe(name);
    // Those of the resting key are spread over all others.
    const moved = during.filter((_, at) => before[at] === "b");
    for (const share of Object.values(sharesOf(moved))) expect(share).toBeCloseTo(1 / 3, 1);
    expect(conversations.some((one) => ring.take(one)?.isFavourite === false)).toBe(true);
    now += 5_000;
    expect(conversations.map((one) => keyOf(ring, one))).toEqual(before);
  });

  it("moves only the conversations of a key that is removed, or to one that is added", () => {
    const before = new KeyRing(keysOf({ a: 1, b: 1, c: 1 }));
    const after = new KeyRing(keysOf({ a: 1, c: 1, d: 1 }));
    const moved = conversations.filter((one) => {
      const [was, is] = [keyOf(before, one), keyOf(after, one)];
      if (was !== is) expect(was === "b" || is === "d").toBe(true);
      return was !== is;
    });
    expect(moved.length / many).toBeGreaterThan(0.4);
    expect(moved.length / many).toBeLessThan(0.6);
  });

  it("sends what is more than a key's limit to the next ones", () => {
    const ring = new KeyRing(keysOf({ a: 1, b: 1, c: 1, d: 1 }, 20));
    const [one] = conversations;
    const taken = Array.from({ length: 50 }, () => ring.take(one));
    const names = taken.map((key) => key?.name);
    expect(names).not.toContain(undefined);
    expect(names.slice(0, 20).every((name) => name === names[0])).toBe(true);
    expect(new Set(names).size).toBe(3);
    for (const key of taken) key?.leave();
    expect(keyOf(ring, one as Conversation)).toBe(names[0]);
  });
});
