"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import type { CopyAttempt } from "#contract/copies.ts";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Duration } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { copyRules } from "@/lib/status/copy";
import { CopyFailure } from "./copy-failure.tsx";

const livePollMs = 2_000;

/** The attempts of one copy, each with the server's response. */
export function AttemptsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords("destinations");
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.copy(id),
    queryFn: ({ signal }) => fetchRoute("GET /copies/{id}", { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && copyRules(state.data.status).open ? livePollMs : false),
  });
  const failure = failureBehind(error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("attempts")}
      description={data ? `${data.model}, ${data.run_id}` : t("loadingTheLog")}
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {data?.attempt_log.length === 0 && <p className="text-muted">{t("noAttemptYet")}</p>}
      <ol className="divide-y divide-line">
        {data?.attempt_log.map((attempt) => (
          <Attempt key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      {data?.object_name && (
        <p className="mt-3 text-table text-muted">
          {t.rich(
            "inTheBucketAs",
            { name: data.object_name },
            {
              code: (text) => (
                <code key="name" className="wrap-anywhere">
                  {text}
                </code>
              ),
            },
          )}
        </p>
      )}
    </Dialog>
  );
}

function Attempt({ attempt }: { attempt: CopyAttempt }) {
  const t = useWords("destinations");
  const { at, duration_ms: ms, status_code: status, error, server_code: code } = attempt;
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {error ? (
          <CircleAlert size={16} aria-hidden className="text-bad" />
        ) : (
          <CircleCheck size={16} aria-hidden className="text-good" />
        )}
        <span className="font-medium">{error ? t("failed") : t("copied")}</span>
        {status !== null && <span className="tabular text-muted">{status}</span>}
        {code && <code className="text-meta">{code}</code>}
        <Duration ms={ms} />
        <span className="ml-auto text-table text-muted">
          <Time value={at} mode="absolute" />
        </span>
      </div>
      {error && (
        <p className="text-table text-muted wrap-anywhere">
          <CopyFailure failure={error} />
        </p>
      )}
    </li>
  );
}
