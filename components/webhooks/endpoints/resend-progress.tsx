"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Resend } from "#contract/resends.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

const livePollMs = 1000;

/** Progress of a resend. */
export function ResendProgress({ initial }: { initial: Resend & { id: string } }) {
  const t = useWords("webhooks");
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
      title={t("sendingEventsAgain")}
      actions={
        isRunning && (
          <Permitted to="deliveries:retry">
            <Button size="sm" busy={busy} onClick={stop}>
              {t("stop")}
            </Button>
          </Permitted>
        )
      }
    >
      <div className="space-y-2 rounded-panel border bg-panel p-4 text-table">
        {isRunning && (
          <Progress value={run.total === 0 ? 1 : run.queued / run.total} label={t("eventsSentAgain")} />
        )}
        <p role="status" className="text-ink">
          {statusText(t, run)}
        </p>
        <p className="text-muted">
          {t.rich(
            "eventsSince",
            {
              hasTypes: run.types ? "yes" : "no",
              types: listText(t.language, run.types ?? [], "plain"),
              include: run.include,
            },
            { time: () => <Time key="time" value={run.since} mode="absolute" /> },
          )}
        </p>
        {problem && <ErrorPanel error={problem} />}
      </div>
    </Section>
  );
}

function statusText(t: Words<"webhooks">, { status, total, queued, gone, waits_for }: Resend): string {
  const state = status === "running" && waits_for === "endpoint" ? "waiting" : (status ?? "running");
  const far = t("eventsQueuedAgain", { state, queued, total });
  return gone > 0 ? `${far} ${t("eventsWereLost", { gone })}` : far;
}
