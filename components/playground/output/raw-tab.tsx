"use client";

import { JsonView } from "@/components/ui/json-view";
import type { Run } from "@/lib/browser/runs/run";

/** The exchange unchanged: request, important headers, response. */
export function RawTab({ run }: { run: Run | null }) {
  if (!run) return <p className="text-muted">No runs yet.</p>;
  const facts = [
    ["Status", run.meta ? String(run.meta.status) : "–"],
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
        <h2 className="mb-1 text-table font-medium">Request body</h2>
        <JsonView value={run.body} label="request body" />
      </div>
      <div>
        <h2 className="mb-1 text-table font-medium">
          {Array.isArray(run.raw) ? `Stream, ${run.raw.length} events` : "Response"}
        </h2>
        {run.raw === null || run.raw === undefined ? (
          <p className="text-table text-muted">
            {run.state === "running"
              ? "Waiting for the response."
              : "The response is only stored until you leave or reload this page."}
          </p>
        ) : (
          <JsonView value={run.raw} label="answer" />
        )}
      </div>
    </div>
  );
}
