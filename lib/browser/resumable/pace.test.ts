import { expect, it } from "vitest";
import { Pace } from "./send-parts.ts";

it("is known after a second, and follows changes of the connection", () => {
  const pace = new Pace();
  pace.note(0, 0);
  pace.note(500, 500);
  expect(pace.bytesPerSecond).toBeNull();
  pace.note(2_000, 2_000);
  expect(pace.bytesPerSecond).toBe(1_000);
  for (let at = 2_000; at <= 20_000; at += 1_000) pace.note(2_000 + (at - 2_000) * 3, at);
  expect(pace.bytesPerSecond).toBe(3_000);
});

it("starts again when bytes have to be sent again, and after a break", () => {
  const pace = new Pace();
  pace.note(0, 0);
  pace.note(9_000, 3_000);
  pace.note(4_000, 4_000);
  expect(pace.bytesPerSecond).toBeNull();
  pace.note(5_000, 5_000);
  expect(pace.bytesPerSecond).toBe(1_000);
  pace.restart();
  expect(pace.bytesPerSecond).toBeNull();
});
