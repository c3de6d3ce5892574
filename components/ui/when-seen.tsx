"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

/** Load slightly before it scrolls into view. */
const ahead = "40px";

/** A part of a long page whose script is loaded only when somebody scrolls near it. */
export function WhenSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: ahead },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen ? children : <div ref={place} className="min-h-40" />;
}
