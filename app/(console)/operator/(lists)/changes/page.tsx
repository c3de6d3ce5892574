import { actionLabels } from "#contract/audit.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ConfigurationChange } from "#contract/operator/changes.ts";
import { page, titleOf } from "@/app/console-page";
import { AuditDetail } from "@/components/audit/audit-detail";
import { UndoButton } from "@/components/operator/undo-button";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Time } from "@/components/ui/time";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "changes" } as const;

export const generateMetadata = titleOf(head);

/** Changes by operators, newest first. Each change that can be undone has a button for it. */
export default page(
  { ...head, description: "Changes to providers, mappings and models, which you can undo." },
  async ({ search, requestRoute }) => {
    const changes = await requestRoute("GET /operator/changes", { query: pageQueryOf(search) });
    return (
      <ListBody
        answer={changes}
        total={{ route: "GET /operator/changes", noun: "change" }}
        empty={
          <EmptyState
            title="No changes yet"
            body="Each change of providers, mapping and models is listed here."
          />
        }
      >
        {(rows) => (
          <Table label="Changes">
            <thead>
              <tr>
                <Th>When</Th>
                <Th>What</Th>
                <Th>Who</Th>
                <Th from="desktop">Details</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {rows.map((change) => (
                <Tr key={change.id}>
                  <Td label="When">
                    <Time value={change.at} />
                  </Td>
                  <Td className="max-w-72">
                    <span className="font-medium">{actionLabels.get(change.action) ?? change.action}</span>
                    <span className="block font-mono text-meta text-muted wrap-anywhere">
                      {nameOf(change)}
                    </span>
                    <div className="mt-1 hidden tablet:max-desktop:block">
                      <AuditDetail detail={change.detail} />
                    </div>
                  </Td>
                  <Td className="max-w-44 wrap-anywhere" label="Who">
                    {change.actor.name}
                  </Td>
                  <Td className="max-w-80" from="desktop" label="Details">
                    <AuditDetail detail={change.detail} />
                  </Td>
                  <Td className="text-right">
                    {change.undoable && (
                      <UndoButton
                        changeId={change.id}
                        what={actionLabels.get(change.action) ?? change.action}
                      />
                    )}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </ListBody>
    );
  },
);

/** Providers are shown by name, everything else by id. */
function nameOf({ detail, target_id }: ConfigurationChange): string | null {
  const sides = [detail?.after, detail?.before].filter(isRecord);
  return sides.map(({ name }) => name).find((name) => typeof name === "string") ?? target_id;
}
