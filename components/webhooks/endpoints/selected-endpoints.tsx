"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Endpoint, EndpointUpdate } from "#contract/webhook.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { SelectionBar } from "@/components/ui/list/selection-bar";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { type EachResult, runEach } from "@/lib/run-each";
import { endpointRules } from "@/lib/status/endpoint";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { EnableDialog } from "./enable-dialog.tsx";
import { ResendDialog } from "./resend-dialog.tsx";

interface SelectedEndpointsProps {
  selected: readonly Endpoint[];
  onSelect: (endpoints: readonly Endpoint[]) => void;
  /** The list's filter, if it has more endpoints than its page shows. */
  more: object | null;
}

/** What is done to the selected endpoints, as messages name it. */
type Change = "paused" | "enabled" | "changedBack" | "resent";

/** What could not be done, for the report. */
interface Report extends Omit<EachResult<Endpoint, unknown>, "done"> {
  change: Change;
}

/** Most endpoints that can be selected at once. */
const maxSelected = 1000;

/** The actions for selected endpoints: pause and enable, which can be undone, and sending missed events. */
export function SelectedEndpoints({ selected, onSelect, more }: SelectedEndpointsProps) {
  const t = useWords("webhooks");
  const router = usePageRouter();
  const queries = useQueryClient();
  const { may } = useAccess();
  const { toast } = useToast();
  const [question, setQuestion] = useState<"enable" | "resend" | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  // A run continues on other pages, where its message and its undo appear.
  const stopper = useRef<AbortController>(null);

  const pausable = selected.filter(({ status }) => endpointRules(status).canPause);
  const enableable = selected.filter(({ status }) => endpointRules(status).canEnable);
  // Deliveries of a paused endpoint are always sent when it is resumed.
  const waiting = enableable.reduce(
    (sum, { status, waiting_deliveries: count = 0 }) => sum + (status === "paused" ? 0 : count),
    0,
  );

  const finish = ({ change, refused, left, error }: Report) => {
    setProgress(null);
    if (refused.length + left.length > 0) setReport({ change, refused, left, error });
    onSelect([...refused.map(({ item }) => item), ...left]);
    void queries.invalidateQueries({ queryKey: queryKeys.endpoints() });
    router.refresh();
  };
  const change = async (
    endpoints: readonly Endpoint[],
    kind: Change,
    bodyOf: (endpoint: Endpoint) => EndpointUpdate,
    canUndo = true,
  ) => {
    setQuestion(null);
    stopper.current = new AbortController();
    const onProgress = (ended: number) =>
      setProgress(t("endpointsChanging", { ended, count: endpoints.length, change: kind }));
    onProgress(0);
    const { done, ...rest } = await runEach(
      endpoints,
      (endpoint) =>
        answerOf(
          act("PATCH /webhooks/endpoints/{id}", { params: { id: endpoint.id }, body: bodyOf(endpoint) }),
        ),
      { signal: stopper.current.signal, onProgress },
    );
    const sent = done.flatMap(({ data: { resumed } }) =>
      resumed?.action === "send" ? [resumed.deliveries] : [],
    );
    const queued = sent.reduce((sum, count) => sum + count, 0);
    const undo = () =>
      change(
        done.map(({ item }) => item),
        "changedBack",
        (endpoint) => ({ status: statusBefore(endpoint) }),
        false,
      );
    if (done.length > 0)
      toast({
        title: t("endpointsChanged", { count: done.length, change: kind }),
        ...(queued > 0 && { description: t("deliveriesQueued", { queued }) }),
        ...(canUndo && { action: { label: t("undo"), onClick: () => void undo() } }),
      });
    finish({ change: kind, ...rest });
  };
  const enable = (waiting: "send" | "drop") =>
    void change(enableable, "enabled", ({ status }) => ({
      status: "enabled",
      ...(status !== "paused" && { waiting }),
    }));
  const selectAll = async () => {
    const all: Endpoint[] = [];
    let after: string | null = null;
    do {
      const query: object = { ...more, limit: pageLimit.max, ...(after !== null && { after }) };
      const answer: GatewayResult<List<Endpoint>> = await callRoute("GET /webhooks/endpoints", { query });
      if (!answer.ok) return toast(await failureToast(answer.error));
      all.push(...answer.data.data);
      after = answer.data.has_more ? answer.data.last_id : null;
    } while (after !== null && all.length < maxSelected);
    onSelect(all);
  };

  return (
    <>
      {(selected.length > 0 || progress !== null) && (
        <SelectionBar count={selected.length} noun="endpoint" status={progress} onClear={() => onSelect([])}>
          {progress !== null ? (
            <Button size="sm" onClick={() => stopper.current?.abort()}>
              {t("stop")}
            </Button>
          ) : (
            <>
              {more && selected.length < maxSelected && (
                <Button size="sm" variant="ghost" onClick={() => void selectAll()}>
                  {t("selectAllThatMatch")}
                </Button>
              )}
              {may("endpoints:manage") && (
                <>
                  <Button
                    size="sm"
                    disabled={pausable.length === 0}
                    onClick={() => void change(pausable, "paused", () => ({ status: "paused" }))}
                  >
                    {t("pauseCount", { count: pausable.length })}
                  </Button>
                  <Button
                    size="sm"
                    disabled={enableable.length === 0}
                    onClick={() => (waiting > 0 ? setQuestion("enable") : enable("send"))}
                  >
                    {t(waiting > 0 ? "enableCountAsking" : "enableCount", { count: enableable.length })}
                  </Button>
                </>
              )}
              {may("deliveries:retry") && (
                <Button
                  size="sm"
                  disabled={pausable.length === 0}
                  title={pausable.length === 0 ? t("enableTheEndpointsFirst") : undefined}
                  onClick={() => setQuestion("resend")}
                >
                  {t("sendMissedEvents")}
                </Button>
              )}
            </>
          )}
        </SelectionBar>
      )}
      {question === "enable" && (
        <EnableDialog
          endpoints={enableable.length}
          waiting={waiting}
          busy={false}
          failure={null}
          onClose={() => setQuestion(null)}
          onEnable={enable}
        />
      )}
      {question === "resend" && (
        <ResendDialog
          endpoints={pausable}
          onClose={() => setQuestion(null)}
          onStarted={({ done, ...rest }) => {
            const events = done.reduce((sum, { data }) => sum + data.total, 0);
            toast({
              title: t("eventsWillBeSentAgain", { events }),
              description: t("toEndpoints", { count: done.length }),
            });
            finish({ change: "resent", ...rest });
          }}
        />
      )}
      {report && <ReportDialog report={report} onClose={() => setReport(null)} />}
    </>
  );
}

/** Nobody but the gateway can set `auto-disabled`. */
function statusBefore({ status }: Endpoint): NonNullable<EndpointUpdate["status"]> {
  return status === "enabled" || status === "paused" ? status : "disabled";
}

/** Names each endpoint that could not be changed, and why. */
function ReportDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useWords("webhooks");
  const { change, refused, left, error } = report;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("endpointsNotChanged", { count: refused.length + left.length, change })}
      description={t("theyAreStillSelected")}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      }
    >
      <div className="space-y-3">
        {error && <ErrorPanel error={error} />}
        {left.length > 0 && <p className="text-base">{t("endpointsNotTried", { count: left.length })}</p>}
        {refused.length > 0 && (
          <Table label={t("refused")}>
            <thead>
              <tr>
                <Th>{t("endpoint")}</Th>
                <Th>{t("reason")}</Th>
              </tr>
            </thead>
            <tbody>
              {refused.map(({ item, error }) => (
                <Tr key={item.id}>
                  <Td className="wrap-anywhere">{endpointAddress(item.url)}</Td>
                  <Td className="text-bad">
                    <FailureInShort failure={error} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </div>
    </Dialog>
  );
}
