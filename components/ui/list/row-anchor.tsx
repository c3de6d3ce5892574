"use client";

import { useEffect, useRef } from "react";
import { Link, type LinkProps } from "@/components/ui/page/link";
import { placeOf } from "@/lib/paths";
import { isReturnedTo, leaveList } from "./row-return.ts";

/** A row's link. It remembers its list for the way back, and gets the focus when the reader returns. */
export function RowAnchor(props: LinkProps) {
  const anchor = useRef<HTMLAnchorElement>(null);
  const page = props.href;
  useEffect(() => {
    if (!isReturnedTo(page)) return;
    anchor.current?.focus({ preventScroll: true });
    anchor.current?.scrollIntoView({ block: "center" });
  }, [page]);
  return (
    <Link
      {...props}
      ref={anchor}
      onClick={() => leaveList(placeOf(window.location.pathname).path + window.location.search, page)}
    />
  );
}
