"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { OperatorNode, OperatorNodeList } from "#contract/operator/nodes.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";

const pollMs = 5_000;
const queryKey = ["operator", "nodes"];

/** The machines of the installation, which can be drained before an update. */
export function Nodes({ initial }: { initial: OperatorNodeList }) {
  const { data = initial } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchRoute("GET /operator/nodes", { signal }),
    initialData: initial,
    refetchInterval: pollMs,
  });
  return (
    <Section
      title="Nodes"
      description="A drained machine takes no new work and finishes what it has, for example before an update."
    >
      <Table label="Nodes">
        <thead>
          <tr>
            <Th>Node</Th>
            <Th>State</Th>
            <Th>Processes</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((node) => (
            <Tr key={node.id}>
              <Td className="font-mono text-meta wrap-anywhere">{node.id}</Td>
              <Td label="State">
                <NodeState node={node} />
              </Td>
              <Td label="Processes">{formatCount(node.processes.length, "process", "processes")}</Td>
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
  const alone = processes.filter((process) => process.drained !== null).length;
  if (!drained) return alone === 0 ? "Takes work" : `${formatCount(alone, "process", "processes")} drained`;
  const counts = processes.map(({ running }) => running);
  const running = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const rest =
    processes.length === 0
      ? "nothing runs"
      : counts.includes(null)
        ? "noticing"
        : running === 0
          ? "idle"
          : `${formatCount(running, "job")} in hand`;
  return (
    <>
      Drained <Time value={drained.since} />
      {drained.by ? ` by ${drained.by.name}` : ""}: {rest}
      {drained.reason && <p className="text-table text-muted wrap-anywhere">{drained.reason}</p>}
    </>
  );
}

function DrainButton({ node, isOnly }: { node: OperatorNode; isOnly: boolean }) {
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
          Undrain
        </Button>
        {failure && <ErrorPanel error={failure} />}
      </>
    );
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Drain
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Drain ${node.id}?`}
        body={`Its processes take no new work, and load balancers that ask /readyz send requests elsewhere. What runs ends. ${
          isOnly
            ? "It is the only node: waiting work stays until it takes work again."
            : "Other nodes take the waiting work."
        } It stays drained over restarts.`}
        confirmLabel="Drain"
        busy={busy}
        failure={failure}
        onConfirm={change}
      />
    </>
  );
}
