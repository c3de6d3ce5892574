import { Check } from "lucide-react";
import { type Permission, permissions, rolesWith, scopeOf } from "#contract/accounts/permissions.ts";
import { roles } from "#contract/accounts/roles.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { roleLabels, roleMeanings } from "@/lib/team/roles";

/** Permissions by role, as the gateway checks them, with the key scope that allows the same. */
export function RolesTable() {
  return (
    <Table label="What each role may do" className="max-phone:[&_td]:px-1 max-phone:[&_th]:px-1">
      <thead>
        <tr>
          <Th>May</Th>
          {roles.map((role) => (
            <Th key={role} title={roleMeanings[role]} className="text-center">
              {roleLabels[role]}
            </Th>
          ))}
          <Th className="max-tablet:hidden">Key scope</Th>
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => {
          const able = rolesWith(permission);
          const scope = scopeOf(permission);
          return (
            <Tr key={permission}>
              <Th scope="row" className="border-b-0! text-table font-normal whitespace-normal! text-ink!">
                {permissionLabels[permission]}
              </Th>
              {roles.map((role) => (
                <Td key={role} className="text-center">
                  {able.includes(role) ? (
                    <>
                      <Check size={15} aria-hidden className="inline text-good" />
                      <span className="sr-only">yes</span>
                    </>
                  ) : (
                    <span className="sr-only">no</span>
                  )}
                </Td>
              ))}
              <Td className="max-tablet:hidden">
                {scope ? <code>{scope}</code> : <span className="text-muted">people only</span>}
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** Every permission in plain words, for the table of roles. */
const permissionLabels: Record<Permission, string> = {
  "operations:run": "Run operations and add voices",
  "predictions:cancel": "Cancel predictions",
  "uploads:write": "Upload and delete files",
  "outputs:keep": "Keep outputs in the library, and remove them from it",
  "predictions:note": "Leave notes on predictions",
  "presets:write": "Save, change and delete presets",
  "conversations:write": "Save, change and delete conversations",
  "outputs:share": "Share outputs by link, and revoke links",
  "events:listen": "Forward events to a program on their machine",
  "keys:own": "Have personal keys",
  "connections:own": "Connect agents",
  "predictions:read": "See predictions and their media",
  "uploads:read": "See uploads",
  "aliases:read": "See aliases",
  "presets:read": "See presets",
  "conversations:read": "Open saved conversations",
  "endpoints:read": "See endpoints",
  "deliveries:read": "See deliveries",
  "copies:read": "See destinations and what was copied to them",
  "requests:read": "See the request log",
  "attestations:read": "See who has attested what",
  "members:read": "See the members' names",
  "deliveries:retry": "Retry deliveries, and send delivered events again",
  "deliveries:note": "Leave notes on deliveries",
  "copies:make": "Copy outputs to destinations, and test these",
  "endpoints:test": "Send a test to an endpoint",
  "callbacks:secret": "Read the secret that signs callbacks",
  "endpoints:manage": "Add, change and delete endpoints",
  "destinations:manage": "Add, change and delete destinations",
  "keys:manage": "Manage service keys, all keys, and budgets",
  "aliases:manage": "Manage aliases and their fallbacks",
  "attestations:make": "Attest, and withdraw attestations",
  "attestations:answer": "Be responsible for service keys, which then use their attestations",
  "members:manage": "Invite, change and remove members up to their own role",
  "audit:read": "See the audit log",
  "notices:read": "See notices that concern their role",
  "notices:manage": "Choose the chats that notices are posted to",
  "usage:read": "See the usage of everybody",
  "usage:own": "See their own usage",
  "budgets:manage": "Set what the account may spend",
  "account:manage": "Rename and delete the account, set how people sign in, appoint owners",
};
