"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { OperatorNode, OperatorNodeList } from "#contract/operator/nodes.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";

const pollMs = 5_000;
const queryKey = ["operator", "nodes"];

/** The machines of the installation, which can be drained before an update. */
export function Nodes({ initial }: { initial: OperatorNodeList }) {
  const t = useWords("operatorHealth");
  const { data = initial } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchRoute("GET /operator/nodes", { signal }),
    initialData: initial,
    refetchInterval: pollMs,
  });
  return (
    <Section title={t("nodes")} description={t("aDrainedMachineTakesNo")}>
      <Table label={t("nodes")}>
        <thead>
          <tr>
            <Th>{t("node")}</Th>
            <Th>{t("state")}</Th>
            <Th>{t("processes")}</Th>
            <Th>
              <span className="sr-only">{t("actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((node) => (
            <Tr key={node.id}>
              <Td className="font-mono text-meta wrap-anywhere">{node.id}</Td>
              <Td label={t("state")}>
                <NodeState node={node} />
              </Td>
              <Td label={t("processes")}>{t("countProcesses", { count: node.processes.length })}</Td>
              <Td className="text-right">
                <DrainButton node={node} isOnly={data.data.length === 1} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

function NodeState({ node: { drained, processes } }: { node: OperatorNode }) {
  const t = useWords("operatorHealth");
  const alone = processes.filter((process) => process.drained !== null).length;
  if (!drained) return alone === 0 ? t("takesWork") : t("processesDrained", { count: alone });
  const counts = processes.map(({ running }) => running);
  const running = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const rest =
    processes.length === 0
      ? t("nothingRuns")
      : counts.includes(null)
        ? t("noticing")
        : running === 0
          ? t("idle")
          : t("jobsInHand", { count: running });
  return (
    <>
      {t.rich(
        drained.by ? "drainedBy" : "drained",
        { name: drained.by?.name ?? "", rest },
        { time: () => <Time key="since" value={drained.since} /> },
      )}
      {drained.reason && <p className="text-table text-muted wrap-anywhere">{drained.reason}</p>}
    </>
  );
}

function DrainButton({ node, isOnly }: { node: OperatorNode; isOnly: boolean }) {
  const t = useWords("operatorHealth");
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  const params = { id: node.id };
  const isDrained = node.drained !== null || node.processes.some(({ drained }) => drained !== null);
  const change = async () => {
    const answer = await send<unknown>(() =>
      isDrained
        ? answerOf(act("DELETE /operator/nodes/{id}/drain", { params }))
        : answerOf(act("POST /operator/nodes/{id}/drain", { params, body: {} })),
    );
    if (!answer.ok) return;
    setOpen(false);
    await client.invalidateQueries({ queryKey });
  };
  if (isDrained)
    return (
      <>
        <Button size="sm" busy={busy} onClick={change}>
          {t("undrain")}
        </Button>
        {failure && <ErrorPanel error={failure} />}
      </>
    );
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t("drain")}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t("drainId", { id: node.id })}
        body={isOnly ? t("drainTheOnly") : t("drainOne")}
        confirmLabel={t("drain")}
        busy={busy}
        failure={failure}
        onConfirm={change}
      />
    </>
  );
}
