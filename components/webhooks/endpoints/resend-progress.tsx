"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Resend } from "#contract/resends.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount, formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";

const livePollMs = 1000;

/** Progress of a resend. */
export function ResendProgress({ initial }: { initial: Resend & { id: string } }) {
  const queryClient = useQueryClient();
  const { busy, failure, send } = useSend();
  const queryKey = queryKeys.resend(initial.endpoint_id);
  const { data: run, error } = useQuery({
    queryKey: [...queryKey, initial.id],
    queryFn: ({ signal }) => fetchRoute("GET /webhooks/resends/{id}", { params: { id: initial.id }, signal }),
    initialData: initial as Resend,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? livePollMs : false),
  });
  const problem = failure ?? failureBehind(error);
  const stop = async () => {
    const of = { params: { id: initial.id } };
    const answer = await send(() => answerOf(act("POST /webhooks/resends/{id}/stop", of)));
    if (answer.ok) queryClient.setQueryData([...queryKey, initial.id], answer.data);
  };
  const isRunning = run.status === "running";
  return (
    <Section
      title="Sending events again"
      actions={
        isRunning && (
          <Permitted to="deliveries:retry">
            <Button size="sm" busy={busy} onClick={stop}>
              Stop
            </Button>
          </Permitted>
        )
      }
    >
      <div className="space-y-2 rounded-panel border bg-panel p-4 text-table">
        {isRunning && (
          <Progress value={run.total === 0 ? 1 : run.queued / run.total} label="Events sent again" />
        )}
        <p role="status" className="text-ink">
          {statusText(run)}
        </p>
        <p className="text-muted">
          Events since <Time value={run.since} mode="absolute" />
          {run.types && <>, of type {run.types.join(", ")}</>},{" "}
          {run.include === "missed" ? "only missed events" : "including accepted events"}.
        </p>
        {problem && <ErrorPanel error={problem} />}
      </div>
    </Section>
  );
}

function statusText({ status, total, queued, gone, waits_for }: Resend): string {
  const goneText =
    gone > 0
      ? ` ${formatCount(gone, "event was", "events were")} lost, because the payload was removed.`
      : "";
  const far = `${formatNumber(queued)} of ${formatCount(total, "event")}`;
  if (status === "done") return `Done: ${far} queued again.${goneText}`;
  if (status === "stopped") return `Stopped: ${far} queued again.${goneText}`;
  if (waits_for === "endpoint")
    return `Waiting until the endpoint is enabled: ${far} queued again.${goneText}`;
  return `${far} queued again.${goneText}`;
}
