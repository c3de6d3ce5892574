import { actionLabels } from "#contract/audit.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ConfigurationChange } from "#contract/operator/changes.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { AuditDetail } from "@/components/audit/audit-detail";
import { UndoButton } from "@/components/operator/undo-button";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Time } from "@/components/ui/time";
import { pageQueryOf } from "@/lib/page-props";
import { messageLanguage } from "@/lib/server/words";
import { codeLabels } from "@/lib/words/code-labels";

const head = headOf({ title: "changes", parts: ["operatorPages", "operator"], description: "aboutChanges" });

export const generateMetadata = titleOf(head);

/** Changes by operators, newest first. Each change that can be undone has a button for it. */
export default page(head, async ({ t, search, requestRoute }) => {
  const changes = await requestRoute("GET /operator/changes", { query: pageQueryOf(search) });
  const labels = codeLabels(await messageLanguage(), actionLabels);
  return (
    <ListBody
      answer={changes}
      total={{ route: "GET /operator/changes", noun: "change" }}
      empty={<EmptyState title={t("noChangesYet")} body={t("eachChangeOfProvidersMapping")} />}
    >
      {(rows) => (
        <Table label={t("changes")}>
          <thead>
            <tr>
              <Th>{t("when")}</Th>
              <Th>{t("what")}</Th>
              <Th>{t("who")}</Th>
              <Th from="desktop">{t("details")}</Th>
              <Th>
                <span className="sr-only">{t("actions")}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((change) => (
              <Tr key={change.id}>
                <Td label={t("when")}>
                  <Time value={change.at} />
                </Td>
                <Td className="max-w-72">
                  <span className="font-medium">{labels.get(change.action) ?? change.action}</span>
                  <span className="block font-mono text-meta text-muted wrap-anywhere">{nameOf(change)}</span>
                  <div className="mt-1 hidden tablet:max-desktop:block">
                    <AuditDetail detail={change.detail} />
                  </div>
                </Td>
                <Td className="max-w-44 wrap-anywhere" label={t("who")}>
                  {change.actor.name}
                </Td>
                <Td className="max-w-80" from="desktop" label={t("details")}>
                  <AuditDetail detail={change.detail} />
                </Td>
                <Td className="text-right">
                  {change.undoable && (
                    <UndoButton changeId={change.id} what={labels.get(change.action) ?? change.action} />
                  )}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </ListBody>
  );
});

/** Providers are shown by name, everything else by id. */
function nameOf({ detail, target_id }: ConfigurationChange): string | null {
  const sides = [detail?.after, detail?.before].filter(isRecord);
  return sides.map(({ name }) => name).find((name) => typeof name === "string") ?? target_id;
}
