"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { askedParam } from "@/lib/paths";

/**
 * Opens a dialog of the page when the address asks for it, as `/keys?do=create` does, and removes that from
 * the address. `open` is false for visitors who may not do it.
 */
export function useAsked(what: string, open: (() => void) | false): void {
  const isAsked = useSearchParams()?.get(askedParam) === what;
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (!isAsked) return;
    const { href } = window.location;
    const url = new URL(href);
    url.searchParams.delete(askedParam);
    window.history.replaceState(null, "", url);
    if (latest.current) latest.current();
  }, [isAsked]);
}
