import { describe, expect, it } from "vitest";
import { drawnRows, gapPx, isNearEnd, layoutOf, rowsToDraw, stepOf } from "./grid-window.ts";

describe("the tiles of a gallery", () => {
  it("fill the width, are never small on a desktop, and two fit side by side on a phone", () => {
    for (const widthPx of [288, 343, 640, 1016, 1400, 2560]) {
      const { columns, tilePx, rowPx } = layoutOf(widthPx);
      expect(columns * tilePx + (columns - 1) * gapPx).toBeCloseTo(widthPx);
      expect(rowPx).toBe(tilePx + gapPx);
      if (widthPx > 452) expect(tilePx).toBeGreaterThanOrEqual(220);
      else expect(columns).toBe(2);
    }
  });

  it("are drawn when they are visible, with some reserve, and never beyond the first and last row", () => {
    const sight = { windowPx: 800, rowPx: 200, rows: 1000 };
    expect(rowsToDraw({ ...sight, hiddenPx: -150 })).toEqual({ first: 0, end: 7 });
    expect(rowsToDraw({ ...sight, hiddenPx: 10_000 })).toEqual({ first: 47, end: 57 });
    expect(rowsToDraw({ ...sight, hiddenPx: 199_900 })).toEqual({ first: 996, end: 1000 });
    expect(rowsToDraw({ ...sight, hiddenPx: 0, rows: 2 })).toEqual({ first: 0, end: 2 });
    expect(rowsToDraw({ ...sight, hiddenPx: 0, rows: 0 })).toEqual({ first: 0, end: 0 });
  });

  it("stay rendered while they have the focus", () => {
    expect(drawnRows({ first: 4, end: 6 }, null)).toEqual([4, 5]);
    expect(drawnRows({ first: 4, end: 6 }, 5)).toEqual([4, 5]);
    expect(drawnRows({ first: 4, end: 6 }, 1)).toEqual([1, 4, 5]);
    expect(drawnRows({ first: 4, end: 6 }, 90)).toEqual([4, 5, 90]);
  });

  it("request the next page while the end is still screens away", () => {
    expect(isNearEnd({ first: 0, end: 8 }, 20, 4)).toBe(true);
    expect(isNearEnd({ first: 0, end: 8 }, 100, 4)).toBe(false);
  });

  it("are reached with the keyboard, but not beyond the ends", () => {
    const step = (key: string, index: number) => stepOf(key, index, 4, 10);
    expect(step("ArrowRight", 3)).toBe(4);
    expect(step("ArrowRight", 9)).toBe(9);
    expect(step("ArrowLeft", 0)).toBe(0);
    expect(step("ArrowDown", 1)).toBe(5);
    expect(step("ArrowDown", 7)).toBe(9);
    expect(step("ArrowDown", 8)).toBe(8);
    expect(step("ArrowUp", 6)).toBe(2);
    expect(step("ArrowUp", 2)).toBe(2);
    expect(step("Home", 7)).toBe(0);
    expect(step("End", 2)).toBe(9);
    expect(step("x", 2)).toBeNull();
  });
});
