"use client";

import { usePathname, useRouter } from "next/navigation";
import { useMemo } from "react";
import { inAccount, type Place, placeOf } from "@/lib/account-path";

/** The account in the page's address, and the page's own path. */
export function usePlace(): Place {
  const pathname = usePathname();
  return useMemo(() => placeOf(pathname ?? "/"), [pathname]);
}

interface PageRouter {
  push(href: string, ...options: [{ scroll: boolean }?]): void;
  replace(href: string, options?: { scroll: boolean }): void;
  refresh(): void;
}

/** Next's router, which stays in the current account. */
export function usePageRouter(): PageRouter {
  const router = useRouter();
  const { accountId } = usePlace();
  return useMemo(
    () => ({
      push: (href, ...options) => router.push(inAccount(accountId, href), ...options),
      replace: (href, options) => router.replace(inAccount(accountId, href), options),
      refresh: () => router.refresh(),
    }),
    [router, accountId],
  );
}
