"use client";

import { useEffect, useRef } from "react";

/** So near to the end of the page still counts as its end. */
const nearPx = 120;

/** Keeps the end of the page in view while it grows, unless somebody reads further up. */
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
