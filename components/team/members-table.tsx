"use client";

import type { Member } from "#contract/accounts/members.ts";
import { Table, Th } from "@/components/ui/list/table";
import { useRowSearch } from "@/components/ui/list/use-row-search";
import type { MemberAction } from "./member-actions.tsx";
import { MemberRow } from "./member-row.tsx";

interface MembersTableProps {
  members: Member[];
  onAsk: (about: MemberAction, member: Member) => void;
}

export function MembersTable({ members, onAsk }: MembersTableProps) {
  const { found, bar } = useRowSearch({
    rows: members,
    textOf: ({ user_id, name, email }) => [user_id, name, email ?? ""].join(" "),
    noun: "members",
  });
  return (
    <>
      {bar}
      {found.length > 0 && (
        <Table label="Members">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Role</Th>
              <Th>Signs in with</Th>
              <Th>Responsible for</Th>
              <Th>Last seen</Th>
              <Th>Since</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {found.map((member) => (
              <MemberRow key={member.id} member={member} onAsk={onAsk} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
