import { Check } from "lucide-react";
import { roles } from "#contract/accounts/constants.ts";
import { labelOfPermission, permissions, rolesWith, scopeOf } from "#contract/accounts/permissions.ts";
import { page, titleOf } from "@/app/console-page";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { pageQueryOf } from "@/lib/page-props";
import { getAccount, listUnansweredKeys } from "@/lib/server/gateway/reads";
import { roleLabels, roleMeanings } from "@/lib/team/roles";
import { TeamClient } from "./client.tsx";

const head = { title: "team", also: ["keys", "attestations", "amounts"] } as const;

export const generateMetadata = titleOf(head);

export default page(head, async ({ search, requestRoute }) => {
  const query = pageQueryOf(search);
  const [account, members, invitations, unanswered] = await Promise.all([
    getAccount(),
    requestRoute("GET /account/members"),
    requestRoute("GET /account/invitations", { query }),
    listUnansweredKeys(),
  ]);
  return (
    <TeamClient
      account={account.ok ? account.data : null}
      members={members}
      invitations={invitations}
      unansweredKeys={unanswered}
      rolesTable={<RolesTable />}
    />
  );
});

/** Permissions by role, as the gateway checks them, with the key scope that gives the same permission. */
function RolesTable() {
  return (
    <Table label="What each role may do" className="max-phone:[&_td]:px-1 max-phone:[&_th]:px-1">
      <thead>
        <tr>
          <Th>Permission</Th>
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
                {labelOfPermission(permission)}
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
