import type { DeletionRecord } from "#contract/operator/account-state.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { DeletionState } from "@/components/operator/accounts/deletion-state";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatBytes, formatNumber } from "@/lib/format";
import type { Words } from "@/messages/words";

const head = headOf({ title: "deletedAccount", parts: ["operatorAccounts"] });

export const generateMetadata = titleOf(head);

/** The certificate of a deletion: counts and times, and nothing of what the account contained. */
export default page<"id", "operatorAccounts">(head, async ({ t, params, requestRoute, need }) => {
  const record = await need(requestRoute("GET /operator/deletions/{id}", { params }));
  const removed = Object.entries(record.removed).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <>
      <PageHeader title={t("deletedAccount")} description={record.id} />
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title={t("deletion")}>
          <Facts facts={factsOf(t, record)} />
        </Section>
        <Section
          title={t("removedRows")}
          description={record.state === "finished" ? t("withTheirFiles") : t("soFarLoadThePage")}
        >
          {removed.length === 0 ? (
            <p className="text-muted">{t("nothingWasRemovedYet")}</p>
          ) : (
            <Table label={t("removedRows")}>
              <thead>
                <tr>
                  <Th>{t("table")}</Th>
                  <Th numeric>{t("rows")}</Th>
                </tr>
              </thead>
              <tbody>
                {removed.map(([table, count]) => (
                  <Tr key={table}>
                    <Td className="font-mono text-meta">{table}</Td>
                    <Td numeric label={t("rows")}>
                      {formatNumber(count)}
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
          )}
        </Section>
      </div>
      <Section title={t("asJson")} description={t("theSha256IsThat")}>
        <JsonView value={record} />
      </Section>
    </>
  );
});

function factsOf(t: Words<"operatorAccounts">, record: DeletionRecord) {
  const { reason, requested_by: by, requested_at: requestedAt, started_at: startedAt, contents } = record;
  return [
    [t("state"), <DeletionState key="state" record={record} />],
    [t("reason"), reason ?? t("deletedByItsOwner")],
    [t("orderedBy"), by ?? t("commandLine")],
    [t("ordered"), <Time key="ordered" value={requestedAt} mode="absolute" />],
    [t("begun"), startedAt ? <Time key="begun" value={startedAt} mode="absolute" /> : t("notYet")],
    [t("files"), contents ? formatBytes(contents.stored_bytes) : t("notCounted")],
    ["SHA-256", record.sha256 ?? t("onceFinished")],
  ] as const;
}
