"use client";

import { EllipsisVertical } from "lucide-react";
import type { ApiKey } from "#contract/keys.ts";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { useFocusHandover } from "@/components/ui/use-focus-handover";

export interface KeyActionsProps {
  apiKey: ApiKey;
  onBudget: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

/** What can be done with a key that is still accepted. */
export function KeyActions({ apiKey, onBudget, onRotate, onRevoke }: KeyActionsProps) {
  const holder = useFocusHandover<HTMLSpanElement>();
  const { may, userId } = useAccess();
  const manages = may("keys:manage");
  if (!manages && apiKey.member?.id !== userId) return null;
  const label = `Actions for ${apiKey.name}`;
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          ...(manages ? [{ label: "Edit budget…", onSelect: () => onBudget(apiKey) }] : []),
          { label: "Rotate…", onSelect: () => onRotate(apiKey) },
          { label: "Revoke…", tone: "bad" as const, onSelect: () => onRevoke(apiKey) },
        ]}
      />
    </span>
  );
}
