"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

/** How far outside the window a part is when its script starts to load. */
const ahead = "40px";

interface WhenSeenProps {
  children: ReactNode;
  /** Reserves the space of the part, also while its script and its data load. */
  className?: string;
}

/** A part of a long page whose script is loaded only when somebody scrolls near it. */
export function WhenSeen({ children, className = "min-h-40" }: WhenSeenProps) {
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
  return (
    <div ref={place} className={className}>
      {isSeen && children}
    </div>
  );
}
