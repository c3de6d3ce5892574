"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { inAccount } from "@/lib/account-path";
import { usePlace } from "./use-place.ts";

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
