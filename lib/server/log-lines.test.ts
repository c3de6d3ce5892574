// @vitest-environment node
import { expect, it } from "vitest";
import { logAsLines } from "./log-lines.ts";

function logger() {
  const lines: string[] = [];
  const target = {} as Console;
  logAsLines(target, (line) => lines.push(line));
  return { target, lines };
}

it("writes each call as one line of JSON", () => {
  const { target, lines } = logger();
  target.error("could not read %s", "x", new Error("why"));
  target.info("started");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, name: "console", msg: expect.stringMatching(/^could not read x Error: why\n {4}at /) },
    { level: 30, msg: "started" },
  ]);
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
});

it("escapes line breaks and terminal control characters in messages", () => {
  const { target, lines } = logger();
  const hostile = "a\nFORGED\r\u001b[31mred\u009b2J\u202eback\u2028line\u{e0001}tag\u0007";
  target.error(new SyntaxError(hostile));
  target.warn(hostile, { hostile });
  for (const line of lines) expect(line.slice(0, -1)).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
  expect(JSON.parse(lines[0] ?? "").msg).toContain("a\nFORGED");
});

it("keeps a line below a maximum length", () => {
  const { target, lines } = logger();
  target.error("x".repeat(1_000_000));
  expect(lines[0]?.length).toBeLessThan(11_000);
});
