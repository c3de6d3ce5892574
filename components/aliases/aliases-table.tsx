"use client";

import { Pencil, Trash2 } from "lucide-react";
import type { Alias } from "#contract/aliases.ts";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";
import { aliasSentence } from "./said.ts";

interface AliasesTableProps {
  aliases: readonly Alias[];
  onEdit: (alias: Alias) => void;
  onRemove: (alias: Alias) => Promise<void>;
}

export function AliasesTable({ aliases, onEdit, onRemove }: AliasesTableProps) {
  const { may, operator } = useAccess();
  const mayChange = ({ for_everyone }: Alias) => may("aliases:manage") && (operator || !for_everyone);
  const actions: Column<Alias> = {
    head: actionsHead,
    cell: (alias) =>
      mayChange(alias) && (
        <RowControls className="flex justify-end">
          <IconButton
            size="sm"
            label={`Change ${alias.name}`}
            icon={<Pencil size={14} aria-hidden />}
            onClick={() => onEdit(alias)}
          />
          <IconButton
            size="sm"
            label={`Delete ${alias.name}`}
            icon={<Trash2 size={14} aria-hidden />}
            onClick={() => void onRemove(alias)}
          />
        </RowControls>
      ),
  };
  return <RowsTable label="Aliases" rows={aliases} columns={[...columns, actions]} />;
}

const columns: readonly Column<Alias>[] = [
  {
    head: "Name",
    cellClass: "max-w-72 min-w-32",
    cell: ({ name, for_everyone }) => (
      <>
        <code className="font-medium text-ink wrap-anywhere">{name}</code>
        {for_everyone && (
          <span className="block">
            <Badge>for all accounts</Badge>
          </span>
        )}
      </>
    ),
  },
  {
    head: "What happens",
    cellClass: "min-w-48 wrap-anywhere",
    cell: (alias) => (
      <>
        {aliasSentence(alias)}
        {alias.unavailable.length > 0 && (
          <span className="block text-warn">
            {alias.unavailable.join(", ")} {alias.unavailable.length === 1 ? "is" : "are"} not in your catalog
            and will be skipped.
          </span>
        )}
      </>
    ),
  },
  {
    head: "Changed",
    from: "desktop",
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];
