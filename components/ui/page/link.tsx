"use client";

import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { usePathname, useRouter } from "next/navigation";
import { type ComponentProps, createContext, type MouseEvent, use, useMemo, useTransition } from "react";
import { inAccount, type Place, placeOf } from "@/lib/paths";

interface PageRouter {
  push(href: string, ...options: [{ scroll: boolean }?]): void;
  replace(href: string, options?: { scroll: boolean }): void;
  refresh(): void;
}

export interface LinkProps extends ComponentProps<"a"> {
  href: string;
  /** False: the page keeps its place. */
  scroll?: boolean;
}

/** Whether the page of the link around a part is loading. */
const Pending = createContext(false);

/**
 * A link to a page of the console, in the current account. Its page is prefetched when somebody points at or
 * focuses the link. Next's own link would prefetch every visible one, and costs 3 kB on every page.
 */
export function Link({ href, scroll = true, onClick, onPointerEnter, onFocus, ...rest }: LinkProps) {
  // Null in tests, and outside the console's pages.
  const router = use(AppRouterContext);
  const address = inAccount(usePlace().accountId, href);
  const [isPending, startTransition] = useTransition();
  const isPage = router !== null && /^\/(?!\/)/.test(address) && !rest.target && rest.download === undefined;
  const prefetch = () => isPage && router.prefetch(address);
  return (
    <Pending value={isPending}>
      <a
        {...rest}
        href={address}
        onPointerEnter={(event) => {
          prefetch();
          onPointerEnter?.(event);
        }}
        onFocus={(event) => {
          prefetch();
          onFocus?.(event);
        }}
        onClick={(event) => {
          onClick?.(event);
          if (!isPage || event.defaultPrevented || opensElsewhere(event)) return;
          event.preventDefault();
          startTransition(() => router.push(address, { scroll }));
        }}
      />
    </Pending>
  );
}

/** Whether the browser opens a new tab or window, or saves the page. */
function opensElsewhere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
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
  return use(Pending) ? <span aria-hidden className="pending-line" /> : null;
}
