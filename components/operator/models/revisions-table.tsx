"use client";

import type { OperatorModelRevision } from "#contract/operator/models.ts";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
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
  const { busy, press } = useChange();
  return (
    <Table label="Revisions">
      <thead>
        <tr>
          <Th>Revision</Th>
          <Th>Schema version</Th>
          <Th>Made</Th>
          <Th>By</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {revisions.map(
          ({ revision, current, operations, created_at, made_by, running_predictions: running }) => (
            <Tr key={revision}>
              <Td>
                {revision} {current && <Badge tone="good">Current</Badge>}
                {running > 0 && (
                  <span className="block text-meta text-muted">
                    {formatCount(running, "prediction")} running
                  </span>
                )}
              </Td>
              <Td label="Schema version">{operations[0]?.schema_version ?? "–"}</Td>
              <Td>
                <Time value={created_at} />
              </Td>
              <Td label="By">{made_by ?? "the command line"}</Td>
              <Td className="text-right">
                {!current && (
                  <Button
                    size="sm"
                    busy={busy}
                    aria-label={`Restore revision ${revision}`}
                    onClick={() =>
                      void press(
                        changeConfiguration(
                          "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore",
                          { params: { ...modelParams(id), revision: String(revision) } },
                        ),
                        `Revision ${revision} of ${id} is current again`,
                      )
                    }
                  >
                    Restore
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
