"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { inAccount } from "@/lib/account-path";
import { usePlace } from "./use-place.ts";

export type LinkProps = Omit<ComponentProps<typeof NextLink>, "href" | "prefetch"> & { href: string };

/**
 * A link to a page of the console, in the account of the page that shows it. Its page is fetched ahead once somebody
 * points at it, touches it or focuses it: Next would ask twice for every link as soon as it is seen, which is forty
 * requests for the rail alone.
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
