"use client";

import { Pencil, Trash2 } from "lucide-react";
import type { Alias } from "#contract/aliases.ts";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
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
  return (
    <Table label="Aliases">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>What happens</Th>
          <Th className="max-desktop:hidden">Changed</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {aliases.map((alias) => (
          <Tr key={alias.id}>
            <Td className="max-w-72 min-w-32">
              <code className="font-medium text-ink wrap-anywhere">{alias.name}</code>
              {alias.for_everyone && (
                <span className="block">
                  <Badge>for all accounts</Badge>
                </span>
              )}
            </Td>
            <Td className="min-w-48 wrap-anywhere">
              {aliasSentence(alias)}
              {alias.unavailable.length > 0 && (
                <span className="block text-warn">
                  {alias.unavailable.join(", ")} {alias.unavailable.length === 1 ? "is" : "are"} not in your
                  catalog and will be skipped.
                </span>
              )}
            </Td>
            <Td className="max-desktop:hidden">
              <Time value={alias.updated_at} />
            </Td>
            <Td className="text-right whitespace-nowrap">
              {mayChange(alias) && (
                <>
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
                </>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
