"use client";

import { Pencil, Trash2 } from "lucide-react";
import type { Passkey } from "#contract/accounts/second-factor.ts";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { actionsHead, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}

export function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  return (
    <RowsTable
      label="Passkeys"
      rows={passkeys}
      columns={[
        {
          head: "Name",
          cell: ({ name, synced }) => (
            <>
              <span className="font-medium wrap-anywhere">{name}</span> {synced && <Badge>Synced</Badge>}
            </>
          ),
        },
        { head: "Added", cell: ({ created_at }) => <Time value={created_at} /> },
        {
          head: "Last used",
          cell: ({ last_used_at: used }) => (used ? <Time value={used} /> : "Never"),
        },
        {
          head: actionsHead,
          cell: (passkey) => (
            <RowControls className="flex justify-end">
              <IconButton
                size="sm"
                label={`Rename ${passkey.name}`}
                icon={<Pencil size={14} aria-hidden />}
                onClick={() => onRename(passkey)}
              />
              <IconButton
                size="sm"
                label={`Remove ${passkey.name}`}
                icon={<Trash2 size={14} aria-hidden />}
                onClick={() => onRemove(passkey)}
              />
            </RowControls>
          ),
        },
      ]}
    />
  );
}
