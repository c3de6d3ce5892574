import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { drawable, setFont, wrap } from "./text.ts";

const context = createCanvas(10, 10).getContext("2d");

describe("text in pictures", () => {
  it("draws Chinese after Latin text, although its font is loaded only then", () => {
    const context = createCanvas(100, 60).getContext("2d");
    const widthOf = (text: string) => {
      setFont(context, 20, 500);
      context.fillText(drawable(text), 0, 40);
      return context.measureText(text).width;
    };
    expect(widthOf("heron")).toBeGreaterThan(0);
    expect(GlobalFonts.families.filter(({ family }) => family.includes("chinese"))).toEqual([]);
    // Each character is as wide as the text is high.
    expect(widthOf("苍鹭")).toBeCloseTo(40);
  });

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
