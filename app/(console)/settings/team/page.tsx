import { Check } from "lucide-react";
import { use } from "react";
import { roles } from "#contract/accounts/constants.ts";
import { labelOfPermission, permissions, rolesWith, scopeOf } from "#contract/accounts/permissions.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { pageQueryOf } from "@/lib/page-props";
import { getAccount, listUnansweredKeys } from "@/lib/server/gateway/reads";
import { messageLanguage } from "@/lib/server/words";
import { codeLabel } from "@/lib/words/code-labels";
import { TeamClient } from "./client.tsx";

const head = headOf({ title: "team", parts: ["team", "roles", "keys", "attestations", "amounts"] });

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

/**
 * Permissions by role, as the gateway checks them, with the key scope that gives the same permission. Closed at first:
 * the table is several screens high.
 */
function RolesTable() {
  const language = use(messageLanguage());
  const t = useWords("team");
  const shell = useWords("shell");
  const meanings = useWords("roles");
  return (
    <details>
      <summary className="w-fit rounded-control text-table font-medium">{t("whatEachRoleMayDo")}</summary>
      <div className="mt-2">
        <Table label={t("whatEachRoleMayDo")} className="max-phone:[&_td]:px-1 max-phone:[&_th]:px-1">
          <thead>
            <tr>
              <Th>{t("permission")}</Th>
              {roles.map((role) => (
                <Th key={role} title={meanings.text(role)} className="text-center">
                  {shell("roleName", { role })}
                </Th>
              ))}
              <Th className="max-tablet:hidden">{t("keyScope")}</Th>
            </tr>
          </thead>
          <tbody>
            {permissions.map((permission) => {
              const able = rolesWith(permission);
              const scope = scopeOf(permission);
              return (
                <Tr key={permission}>
                  <Th scope="row" className="border-b-0! text-table font-normal whitespace-normal! text-ink!">
                    {codeLabel(language, permission, labelOfPermission(permission))}
                  </Th>
                  {roles.map((role) => (
                    <Td key={role} className="text-center">
                      {able.includes(role) ? (
                        <>
                          <Check size={15} aria-hidden className="inline text-good" />
                          <span className="sr-only">{t("yes")}</span>
                        </>
                      ) : (
                        <span className="sr-only">{t("no")}</span>
                      )}
                    </Td>
                  ))}
                  <Td className="max-tablet:hidden">
                    {scope ? <code>{scope}</code> : <span className="text-muted">{t("peopleOnly")}</span>}
                  </Td>
                </Tr>
              );
            })}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
