"use client";

import { cloneElement, type MouseEvent, type ReactElement } from "react";
import type { Permission } from "#contract/accounts/permissions.ts";
import { Tooltip } from "@/components/ui/tooltip";
import { WhoCan } from "./who-can.tsx";

interface RefusedProps {
  to: Permission;
  children: ReactElement<Record<string, unknown>>;
}

/** A button that keeps its place and its focus, does nothing, and says on hover and focus who could press it. */
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
