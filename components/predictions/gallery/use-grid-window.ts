"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type GridLayout, layoutOf, type RowRange, rowsToDraw } from "./grid-window.ts";

interface GridWindow {
  layout: GridLayout;
  range: RowRange;
  /** How many rows the browser's window shows. */
  screenRows: number;
}

/** Which tiles of a grid in the page are in sight; null before it was measured. Changes only when another row comes into sight. */
export function useGridWindow(container: RefObject<HTMLElement | null>, count: number): GridWindow | null {
  const [shown, setShown] = useState<GridWindow | null>(null);
  const frame = useRef(0);
  const measure = useCallback(() => {
    const box = container.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const layout = layoutOf(box.width);
    const { columns, rowPx } = layout;
    const windowPx = window.innerHeight;
    const next = {
      layout,
      range: rowsToDraw({ hiddenPx: -box.top, windowPx, rowPx, rows: Math.ceil(count / columns) }),
      screenRows: Math.ceil(windowPx / rowPx),
    };
    setShown((before) => (before && isSame(before, next) ? before : next));
  }, [container, count]);

  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const onChange = () => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(onChange);
    if (container.current) sizes.observe(container.current);
    window.addEventListener("scroll", onChange, { passive: true });
    window.addEventListener("resize", onChange);
    return () => {
      cancelAnimationFrame(frame.current);
      sizes.disconnect();
      window.removeEventListener("scroll", onChange);
      window.removeEventListener("resize", onChange);
    };
  }, [container, measure]);
  return shown;
}

function isSame(one: GridWindow, other: GridWindow): boolean {
  return (
    one.range.first === other.range.first &&
    one.range.end === other.range.end &&
    one.layout.tilePx === other.layout.tilePx &&
    one.screenRows === other.screenRows
  );
}
