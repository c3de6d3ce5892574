import { page, titleOf } from "@/app/console-page";
import { DeletionState } from "@/components/operator/accounts/deletion-state";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "deletedAccounts" } as const;

export const generateMetadata = titleOf(head);

const description = "Each deletion leaves a certificate of what was removed.";

/** Deletions of accounts that wait, run or have finished. */
export default page({ ...head, description }, async ({ search, requestRoute }) => {
  const deletions = await requestRoute("GET /operator/deletions", { query: pageQueryOf(search) });
  return (
    <ListBody
      answer={deletions}
      empty={
        <EmptyState
          drawing="frames"
          title="No deleted accounts"
          body="When an owner or an operator deletes an account, its certificate is shown here."
        />
      }
    >
      {(rows) => (
        <Table label="Deleted accounts">
          <thead>
            <tr>
              <Th>Account</Th>
              <Th>State</Th>
              <Th>Reason</Th>
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
                <Td label="State">
                  <DeletionState record={row} />
                </Td>
                <Td className="wrap-anywhere" label="Reason">
                  {row.reason ?? "Deleted by its owner"}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </ListBody>
  );
});
