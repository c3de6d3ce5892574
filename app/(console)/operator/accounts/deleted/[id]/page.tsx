import type { DeletionRecord } from "#contract/operator/account-state.ts";
import { page, titleOf } from "@/app/console-page";
import { DeletionState } from "@/components/operator/accounts/deletion-state";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatBytes, formatNumber } from "@/lib/format";

const head = { title: "deletedAccount" } as const;

export const generateMetadata = titleOf(head);

/** The certificate of a deletion: counts and times, and nothing of what the account contained. */
export default page<"id">(head, async ({ params, requestRoute, need }) => {
  const record = await need(requestRoute("GET /operator/deletions/{id}", { params }));
  const removed = Object.entries(record.removed).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <>
      <PageHeader title="Deleted account" description={record.id} />
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title="Deletion">
          <Facts facts={factsOf(record)} />
        </Section>
        <Section
          title="Removed rows"
          description={
            record.state === "finished" ? "With their files." : "So far. Load the page again to see more."
          }
        >
          {removed.length === 0 ? (
            <p className="text-muted">Nothing was removed yet.</p>
          ) : (
            <Table label="Removed rows">
              <thead>
                <tr>
                  <Th>Table</Th>
                  <Th numeric>Rows</Th>
                </tr>
              </thead>
              <tbody>
                {removed.map(([table, count]) => (
                  <Tr key={table}>
                    <Td className="font-mono text-meta">{table}</Td>
                    <Td numeric label="Rows">
                      {formatNumber(count)}
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
          )}
        </Section>
      </div>
      <Section
        title="As JSON"
        description="The SHA-256 is that of this object without the field sha256, as canonical JSON (RFC 8785)."
      >
        <JsonView value={record} />
      </Section>
    </>
  );
});

function factsOf(record: DeletionRecord) {
  const { reason, requested_by: by, requested_at: requestedAt, started_at: startedAt, contents } = record;
  return [
    ["State", <DeletionState key="state" record={record} />],
    ["Reason", reason ?? "Deleted by its owner"],
    ["Ordered by", by ?? "The command line"],
    ["Ordered", <Time key="ordered" value={requestedAt} mode="absolute" />],
    ["Begun", startedAt ? <Time key="begun" value={startedAt} mode="absolute" /> : "Not yet"],
    ["Files", contents ? formatBytes(contents.stored_bytes) : "Not counted yet"],
    ["SHA-256", record.sha256 ?? "Once it has finished"],
  ] as const;
}
