import { expect, it } from "vitest";
import { totalsBy, totalsByDay, totalsByUnit, utcDay } from "./summary.ts";

const row = (day: string, model: string, unit: string, quantity: number, keyId: string | null = null) => ({
  day,
  model,
  unit,
  user_id: null,
  key_id: keyId,
  quantity,
  requests: 1,
});

const rows = [
  row("2026-11-18", "svc/chat-1", "token", 100, "key_a"),
  row("2026-11-18", "svc/chat-2", "token", 300),
  row("2026-11-20", "svc/chat-1", "token", 50, "key_a"),
  row("2026-11-20", "svc/vid-t2v", "second", 5),
];

it("never adds one unit to another", () => {
  expect(totalsByUnit(rows)).toEqual([
    { name: "token", quantity: 450, requests: 3 },
    { name: "second", quantity: 5, requests: 1 },
  ]);
});

it("fills days without usage", () => {
  const days = totalsByDay(rows, "token", "2026-11-17", "2026-11-20");
  expect(days.map((day) => [day.name, day.quantity])).toEqual([
    ["2026-11-17", 0],
    ["2026-11-18", 400],
    ["2026-11-19", 0],
    ["2026-11-20", 50],
  ]);
});

it("puts the largest first, and signed-in users under the empty key", () => {
  expect(totalsBy(rows, "token", "model").map((total) => total.name)).toEqual(["svc/chat-2", "svc/chat-1"]);
  expect(totalsBy(rows, "token", "key_id").map((total) => total.name)).toEqual(["", "key_a"]);
});

it("counts days in UTC", () => {
  expect(utcDay(Date.parse("2026-11-20T00:30:00Z"), 1)).toBe("2026-11-19");
});
