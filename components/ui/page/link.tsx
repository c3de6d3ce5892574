"use client";

import NextLink, { useLinkStatus } from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ComponentProps, useMemo, useState } from "react";
import { inAccount, type Place, placeOf } from "@/lib/paths";

interface PageRouter {
  push(href: string, ...options: [{ scroll: boolean }?]): void;
  replace(href: string, options?: { scroll: boolean }): void;
  refresh(): void;
}

export type LinkProps = Omit<ComponentProps<typeof NextLink>, "href" | "prefetch"> & { href: string };

/**
 * A link to a page of the console, in the current account. Its page is prefetched when somebody points at,
 * touches or focuses the link. Next would prefetch every visible link twice, which is forty requests for the
 * rail alone.
 */
export function Link({ href, onPointerEnter, onFocus, ...rest }: LinkProps) {
  const [wanted, setWanted] = useState(false);
  return (
    <NextLink
      {...rest}
      href={inAccount(usePlace().accountId, href)}
      prefetch={wanted ? null : false}
      onPointerEnter={(event) => {
        setWanted(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setWanted(true);
        onFocus?.(event);
      }}
    />
  );
}

/** The account in the page's address, and the page's own path. */
export function usePlace(): Place {
  const pathname = usePathname();
  return useMemo(() => placeOf(pathname ?? "/"), [pathname]);
}

/** Next's router, which stays in the current account. */
export function usePageRouter(): PageRouter {
  const router = useRouter();
  const { accountId } = usePlace();
  return useMemo(
    () => ({
      push: (href, ...options) => unlessOffline(() => router.push(inAccount(accountId, href), ...options)),
      replace: (href, options) => unlessOffline(() => router.replace(inAccount(accountId, href), options)),
      refresh: () => unlessOffline(() => router.refresh()),
    }),
    [router, accountId],
  );
}

/** Sent when a page was not opened, because there is no connection. */
export const stayedEvent = "gatehouse-stayed";

/** Without a connection Next would load the whole page, and end on the browser's error page. */
function unlessOffline(go: () => void): void {
  if (navigator.onLine) go();
  else window.dispatchEvent(new Event(stayedEvent));
}

/** Inside a link: a line at the top of the window while its page loads, unless the page opens at once. */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <span aria-hidden className="pending-line" /> : null;
}
