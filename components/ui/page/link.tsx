"use client";

import NextLink from "next/link";
import type { ComponentProps } from "react";
import { inAccount } from "@/lib/account-path";
import { usePlace } from "./use-place.ts";

export type LinkProps = Omit<ComponentProps<typeof NextLink>, "href"> & { href: string };

/** A link to a page of the console, in the account of the page that shows it. */
export function Link({ href, ...rest }: LinkProps) {
  return <NextLink {...rest} href={inAccount(usePlace().accountId, href)} />;
}
