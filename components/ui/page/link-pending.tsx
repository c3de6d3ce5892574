"use client";

import { useLinkStatus } from "next/link";

/** Inside a link: a line at the top of the window while its page loads, unless the page opens at once. */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <span aria-hidden className="pending-line" /> : null;
}
