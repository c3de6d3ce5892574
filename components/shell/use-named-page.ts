"use client";

import { useEffect } from "react";
import { pageName, titleSuffix } from "./page-name.ts";

/** Names the page after a thing that it has opened: in its heading, breadcrumb and title. Null: nothing is open. */
export function useNamedPage(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    pageName.set(name);
    let own = document.title;
    let shown: string | null = null;
    // The router sets the page's own title again when the address changes.
    const rename = () => {
      if (document.title === shown) return;
      own = document.title;
      document.title = `${name}${titleSuffix}`;
      // Read back, because browsers leave out spaces.
      shown = document.title;
    };
    rename();
    const observer = new MutationObserver(rename);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      pageName.set(null);
      document.title = own;
    };
  }, [name]);
}
