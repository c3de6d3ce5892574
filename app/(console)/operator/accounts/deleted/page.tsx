import { headOf, page, titleOf } from "@/app/console-page";
import { DeletionState } from "@/components/operator/accounts/deletion-state";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { pageQueryOf } from "@/lib/page-props";

const head = headOf({ title: "deletedAccounts", parts: ["operatorAccounts"], description: "eachDeletion" });

export const generateMetadata = titleOf(head);

/** Deletions of accounts that wait, run or have finished. */
export default page(head, async ({ t, search, requestRoute }) => {
  const deletions = await requestRoute("GET /operator/deletions", { query: pageQueryOf(search) });
  return (
    <ListBody
      answer={deletions}
      empty={<EmptyState drawing="frames" title={t("noDeletedAccounts")} body={t("whenAnOwnerOrAn")} />}
    >
      {(rows) => (
        <Table label={t("deletedAccounts")}>
          <thead>
            <tr>
              <Th>{t("account")}</Th>
              <Th>{t("state")}</Th>
              <Th>{t("reason")}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.id}>
                <Td className="font-mono text-meta wrap-anywhere">
                  <Link href={`/operator/accounts/deleted/${row.id}`} className="text-accent hover:underline">
                    {row.id}
                  </Link>
                </Td>
                <Td label={t("state")}>
                  <DeletionState record={row} />
                </Td>
                <Td className="wrap-anywhere" label={t("reason")}>
                  {row.reason ?? t("deletedByItsOwner")}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </ListBody>
  );
});
