"use client";

import { useEffect, useRef } from "react";

/** Within this distance of the page's end, the reader counts as being at the end. */
const nearPx = 120;

/** Keeps the end of the page in view while the page grows, unless the reader scrolls up. */
export function useStayAtEnd(active: boolean) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = content.current;
    if (!active || !element) return;
    let isAtEnd = true;
    const page = document.documentElement;
    const onScroll = () => {
      isAtEnd = page.scrollHeight - window.scrollY - window.innerHeight < nearPx;
    };
    const growth = new ResizeObserver(() => {
      if (isAtEnd) window.scrollTo({ top: page.scrollHeight });
    });
    growth.observe(element);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      growth.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, [active]);
  return content;
}
