"use client";

import { cloneElement, type MouseEvent, type ReactElement } from "react";
import type { Permission } from "#contract/accounts/permissions.ts";
import { Tooltip } from "@/components/ui/tooltip";
import { WhoCan } from "./who-can.tsx";

interface RefusedProps {
  to: Permission;
  children: ReactElement<Record<string, unknown>>;
}

/**
 * A button that stays in place and keeps the focus but does nothing. On hover and focus it shows who may use
 * it.
 */
export function Refused({ to, children }: RefusedProps) {
  return (
    <Tooltip content={<WhoCan to={to} />}>
      {cloneElement(children, {
        "aria-disabled": true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
    </Tooltip>
  );
}
