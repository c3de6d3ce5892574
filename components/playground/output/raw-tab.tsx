"use client";

import { useWords } from "#words";
import { JsonView } from "@/components/ui/json-view";
import type { Run } from "@/lib/browser/runs/run";

/** The exchange unchanged: request, important headers, response. */
export function RawTab({ run }: { run: Run | null }) {
  const t = useWords("playground");
  if (!run) return <p className="text-muted">{t("noRunsYet")}</p>;
  const facts = [
    [t("status"), run.meta ? String(run.meta.status) : "–"],
    ["Idempotency-Key", run.key],
    ["x-request-id", run.meta?.requestId],
    ["x-svc-region", run.meta?.region],
    ["x-svc-generation-id", run.meta?.generationId],
    ["x-svc-sandbox", run.meta?.sandbox ? "true" : null],
  ].filter((fact): fact is [string, string] => typeof fact[1] === "string");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <h2 className="mb-1 text-table font-medium">{t("requestBody")}</h2>
        <JsonView value={run.body} label={t("requestBodyNamed")} />
      </div>
      <div>
        <h2 className="mb-1 text-table font-medium">
          {Array.isArray(run.raw) ? t("streamOfEvents", { count: run.raw.length }) : t("response")}
        </h2>
        {run.raw === null || run.raw === undefined ? (
          <p className="text-table text-muted">
            {run.state === "running" ? t("waitingForTheResponse") : t("theResponseIsOnlyStored")}
          </p>
        ) : (
          <JsonView value={run.raw} label={t("answerNamed")} />
        )}
      </div>
    </div>
  );
}
