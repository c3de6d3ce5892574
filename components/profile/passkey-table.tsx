import { Pencil, Trash2 } from "lucide-react";
import type { Passkey } from "#contract/accounts/second-factor.ts";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { RowControls, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}

export function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  return (
    <Table label="Passkeys">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Added</Th>
          <Th>Last used</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {passkeys.map((passkey) => (
          <Tr key={passkey.id}>
            <Td>
              <span className="font-medium wrap-anywhere">{passkey.name}</span>{" "}
              {passkey.synced && <Badge>Synced</Badge>}
            </Td>
            <Td>
              <Time value={passkey.created_at} />
            </Td>
            <Td>{passkey.last_used_at ? <Time value={passkey.last_used_at} /> : "Never"}</Td>
            <Td>
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
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
