import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { drawable, setFont, wrap } from "./text.ts";

const context = createCanvas(10, 10).getContext("2d");

describe("text in pictures", () => {
  it("replaces characters that no font has with a dot", () => {
    expect(drawable("Café Ωμέγα Привет · “ok”")).toBe("Café Ωμέγα Привет · “ok”");
    expect(drawable("湖 夜の街")).toBe("湖 夜の街");
    expect(drawable("ሰላም 🚢")).toBe("··· ·");
    expect(drawable("a\u0000b\u202ec")).toBe("abc");
  });

  it("never exceeds the width of a line, and marks where text was cut", () => {
    setFont(context, 20, 600);
    const lines = wrap(context, `word ${"x".repeat(80)} and more words that do not fit`, 200, 3);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(context.measureText(line).width).toBeLessThanOrEqual(200);
    expect(lines.at(-1)).toMatch(/…$/);
  });
});
