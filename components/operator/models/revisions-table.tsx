"use client";

import type { OperatorModelRevision } from "#contract/operator/models.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";
import { changeConfiguration } from "@/lib/gateway/act";
import { modelParams } from "@/lib/operator/model-row";
import { useChange } from "../use-change.ts";

interface RevisionsTableProps {
  id: string;
  /** Newest first. */
  revisions: readonly OperatorModelRevision[];
}

/** The revisions of an entry. Each can be restored. */
export function RevisionsTable({ id, revisions }: RevisionsTableProps) {
  const t = useWords("operatorModels");
  const { busy, press } = useChange();
  return (
    <Table label={t("revisions")}>
      <thead>
        <tr>
          <Th>{t("revision")}</Th>
          <Th>{t("schemaVersion")}</Th>
          <Th>{t("made")}</Th>
          <Th>{t("by")}</Th>
          <Th>
            <span className="sr-only">{t("actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {revisions.map(
          ({ revision, current, operations, created_at, made_by, running_predictions: running }) => (
            <Tr key={revision}>
              <Td>
                {revision} {current && <Badge tone="good">{t("current")}</Badge>}
                {running > 0 && (
                  <span className="block text-meta text-muted">
                    {t("predictionsRunning", { count: running })}
                  </span>
                )}
              </Td>
              <Td label={t("schemaVersion")}>{operations[0]?.schema_version ?? "–"}</Td>
              <Td>
                <Time value={created_at} />
              </Td>
              <Td label={t("by")}>{made_by ?? t("theCommandLine")}</Td>
              <Td className="text-right">
                {!current && (
                  <Button
                    size="sm"
                    busy={busy}
                    aria-label={t("restoreRevisionRevision", { revision })}
                    onClick={() =>
                      void press(
                        changeConfiguration(
                          "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore",
                          { params: { ...modelParams(id), revision: String(revision) } },
                        ),
                        t("revisionRestored", { revision, id }),
                      )
                    }
                  >
                    {t("restore")}
                  </Button>
                )}
              </Td>
            </Tr>
          ),
        )}
      </tbody>
    </Table>
  );
}
