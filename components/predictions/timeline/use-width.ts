"use client";

import { type RefObject, useEffect, useState } from "react";

/** The width of an element in pixels, `assumed` until it has been measured. */
export function useWidth(element: RefObject<Element | null>, assumed: number): number {
  const [width, setWidth] = useState(assumed);

  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);

  return width;
}
