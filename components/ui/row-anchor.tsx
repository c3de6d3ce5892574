"use client";

import type Link from "next/link";
import { type ComponentProps, useEffect, useRef } from "react";
import { LazyLink } from "./lazy-link.tsx";
import { isReturnedTo, leaveList } from "./row-return.ts";

/** A row's link that remembers its list for the way back, and takes the focus when the reader returns to its row. */
export function RowAnchor(props: ComponentProps<typeof Link>) {
  const anchor = useRef<HTMLAnchorElement>(null);
  const page = String(props.href);
  useEffect(() => {
    if (!isReturnedTo(page)) return;
    anchor.current?.focus({ preventScroll: true });
    anchor.current?.scrollIntoView({ block: "center" });
  }, [page]);
  return (
    <LazyLink
      {...props}
      ref={anchor}
      onClick={() => leaveList(window.location.pathname + window.location.search, page)}
    />
  );
}
