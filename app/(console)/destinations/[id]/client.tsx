"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CirclePause, EllipsisVertical, FlaskConical, OctagonAlert, Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import { useWords } from "#words";
import { CopyLog, type CopyLogProps } from "@/components/destinations/copy-log";
import { bucketName, describeAutomatic } from "@/components/destinations/destination-labels";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { FactList } from "@/components/ui/fact-list";
import { useSend } from "@/components/ui/form/use-send";
import { IdChip } from "@/components/ui/id-chip";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import type { ActionResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { destinationLook } from "@/lib/status/copy";

interface DestinationClientProps {
  initial: Destination;
  copies: CopyLogProps["initial"];
}

const pollMs = 5_000;

/** One destination: its address, its state, and the files copied to it. */
export function DestinationClient({ initial, copies }: DestinationClientProps) {
  const { id } = initial;
  const {
    data: destination,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.destination(id),
    queryFn: ({ signal }) => fetchRoute("GET /destinations/{id}", { params: { id }, signal }),
    initialData: initial,
    refetchInterval: pollMs,
  });
  const failure = failureBehind(error);
  const look = destinationLook(useWords("states"), destination);
  return (
    <>
      <PageHeader
        log
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">{destination.name}</span>{" "}
            <StatusPill {...look} title={look.meaning} />
          </span>
        }
        actions={<DestinationControls destination={destination} />}
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      <DestinationAlert destination={destination} />
      <DestinationFacts destination={destination} />
      <CopyLog destination={destination} initial={copies} />
    </>
  );
}

const DestinationDialog = dynamic(
  () => import("@/components/destinations/destination-dialog").then((module) => module.DestinationDialog),
  { ssr: false },
);
const ConfirmDialog = dynamic(() => import("@/components/ui/dialog").then((module) => module.ConfirmDialog), {
  ssr: false,
});

function DestinationControls({ destination }: { destination: Destination }) {
  const t = useWords("destinations");
  const { id, name, status } = destination;
  const of = { params: { id } };
  const router = usePageRouter();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { may } = useAccess();
  const { busy, failure, send } = useSend();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);

  const renew = () => {
    queryClient.invalidateQueries({ queryKey: queryKeys.destination(id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.copies() });
    queryClient.invalidateQueries({ queryKey: queryKeys.destinations() });
  };
  const run = async <Data,>(call: ActionResult<Data>, done: (data: Data) => void) => {
    const answer = await send(() => answerOf(call));
    if (!answer.ok) return toast(await failureToast(answer.error));
    renew();
    done(answer.data);
  };
  const test = () =>
    run(act("POST /destinations/{id}/test", of), ({ error, warning }) =>
      toast(
        error
          ? { tone: "bad", title: t("theTestFailed2"), description: error.message }
          : {
              title: t("theTestWorked2"),
              description: warning ?? t("aSmallObjectWasWritten"),
            },
      ),
    );
  const set = (next: "active" | "paused") =>
    run(act("PATCH /destinations/{id}", { ...of, body: { status: next } }), () =>
      toast(
        next === "paused"
          ? {
              title: t("pausedFilesWait"),
              action: { label: t("resume"), onClick: () => void set("active") },
            }
          : { title: t("resumedWaitingFilesAreCopied") },
      ),
    );
  const remove = async () => {
    const answer = await send(() => answerOf(act("DELETE /destinations/{id}", of)), { leaves: true });
    if (!answer.ok) return;
    queryClient.invalidateQueries({ queryKey: queryKeys.destinations() });
    router.push("/destinations");
  };

  return (
    <>
      <Permitted to="copies:make">
        <Button icon={<FlaskConical size={16} aria-hidden />} busy={busy && open === null} onClick={test}>
          {t("test")}
        </Button>
      </Permitted>
      <Permitted to="destinations:manage">
        <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen("edit")}>
          {t("edit")}
        </Button>
      </Permitted>
      {status === "paused" && (
        <Permitted to="destinations:manage">
          <Button variant="primary" onClick={() => set("active")}>
            {t("resume")}
          </Button>
        </Permitted>
      )}
      {may("destinations:manage") && (
        <Menu
          label={t("moreActions")}
          trigger={<IconButton label={t("moreActions")} icon={<EllipsisVertical size={16} aria-hidden />} />}
          items={[
            ...(status === "active" ? [{ label: t("pause"), onSelect: () => void set("paused") }] : []),
            { label: t("delete"), tone: "bad" as const, onSelect: () => setOpen("delete") },
          ]}
        />
      )}
      {open === "edit" && (
        <DestinationDialog
          destination={destination}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null);
            renew();
            toast({ title: t("destinationUpdated") });
          }}
        />
      )}
      {open === "delete" && (
        <ConfirmDialog
          open
          onOpenChange={() => setOpen(null)}
          title={t("deleteThisDestination")}
          body={t("noMoreFiles", { name })}
          confirmLabel={t("deleteDestination")}
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={remove}
        />
      )}
    </>
  );
}

/** Why no files are copied to a destination at present, and how to fix it. */
function DestinationAlert({ destination }: { destination: Destination }) {
  const t = useWords("destinations");
  const { status, last_error: error, last_error_at: at, waiting_copies: waiting } = destination;
  if (status === "paused")
    return (
      <div className="mb-6 flex gap-3 rounded-panel border bg-sunken p-4">
        <CirclePause size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <p className="text-base text-ink">{t("isPaused", { count: waiting })}</p>
      </div>
    );
  if (!error) return null;
  return (
    <div role="alert" className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4">
      <OctagonAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 text-base text-ink wrap-anywhere">
        <p className="font-semibold">{t("theLatestAttemptFailed")}</p>
        <p>
          {error.message} <Time value={at} />
        </p>
      </div>
    </div>
  );
}

function DestinationFacts({ destination }: { destination: Destination }) {
  const t = useWords("destinations");
  const { models } = destination;
  return (
    <div className="mb-8">
      <FactList
        rows={[
          [
            t("bucket"),
            <span key="bucket" className="font-mono">
              {bucketName(destination)}
            </span>,
          ],
          [
            t("server"),
            <span key="server" className="font-mono">
              {destination.endpoint_url}
            </span>,
          ],
          [t("region"), destination.region],
          [
            t("accessKey"),
            <span key="keys">
              {t.rich(
                "keyAndSecret",
                { id: destination.access_key_id, hint: destination.secret_hint },
                {
                  code: (text) => <code key="id">{text}</code>,
                  secret: (text) => <code key="secret">{text}</code>,
                },
              )}
            </span>,
          ],
          [
            t("automatic"),
            models.length === 0 ? (
              describeAutomatic(t, destination)
            ) : (
              <span key="models" className="inline-flex flex-wrap gap-1">
                {models.map((model) => (
                  <Badge key={model}>{model}</Badge>
                ))}
              </span>
            ),
          ],
          [t("lastCopied"), <Time key="copied" value={destination.last_copied_at} />],
          [t("id"), <IdChip key="id" id={destination.id} whole />],
          [t("added"), <Time key="added" value={destination.created_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
