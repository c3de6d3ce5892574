"use client";

import type { ComponentProps } from "react";
import type { CatalogModel } from "#contract/catalog.ts";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Time } from "@/components/ui/time";
import type { Run } from "@/lib/browser/runs/run";
import type { JsonObject } from "@/lib/schema-form/json";
import type { Words } from "@/messages/words";
import { runTitle } from "../../../lib/schema-form/messages.ts";
import { RunOutputView } from "../output/run-output-view.tsx";
import { useRunPrediction } from "../output/use-run-prediction.ts";

interface CompareDialogProps {
  model: CatalogModel;
  runs: readonly Run[];
  onClose: () => void;
}

/** Up to four runs side by side: their different inputs and their results. */
export function CompareDialog({ model, runs, onClose }: CompareDialogProps) {
  const t = useWords("playground");
  const keys = differences(runs.map(({ body }) => body));
  return (
    <Dialog open onOpenChange={onClose} size="full" title={t("compareRuns", { count: runs.length })}>
      <div className="grid min-w-0 auto-cols-[minmax(240px,1fr)] grid-flow-col gap-4 overflow-x-auto pb-2">
        {runs.map((run, index) => (
          <section
            key={run.key}
            aria-label={`${index + 1}. ${runTitle(run, t)}`}
            className="flex min-w-0 flex-col gap-3"
          >
            <header>
              <h3 className="line-clamp-2 font-medium">{runTitle(run, t)}</h3>
              <p className="text-meta text-muted">
                <Time value={new Date(run.startedAtMs).toISOString()} /> ·{" "}
                {t("runState", { state: run.state })}
              </p>
            </header>
            {keys.length === 0 && (
              <p className="rounded-control bg-sunken p-2 text-meta text-muted">{t("sameInput")}</p>
            )}
            <dl className="rounded-control bg-sunken p-2 text-meta empty:hidden">
              {keys.map((key) => (
                <div key={key} className="flex gap-2">
                  <dt className="shrink-0 text-muted">{key}</dt>
                  <dd className="min-w-0 truncate font-mono" title={shown(run.body[key], t)}>
                    {shown(run.body[key], t)}
                  </dd>
                </div>
              ))}
            </dl>
            {run.output ? (
              <PastOutput run={run} output={run.output} model={model} />
            ) : (
              <p className="text-muted">{run.failure?.message ?? t("theOutputWasNotSavedHere")}</p>
            )}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** An earlier output. A conversation can be continued only in the playground that has it open. */
function PastOutput(props: Pick<ComponentProps<typeof RunOutputView>, "run" | "output" | "model">) {
  return <RunOutputView {...props} prediction={useRunPrediction(props.run)} onReply={null} />;
}

function shown(value: unknown, t: Words<"playground">): string {
  if (value === undefined) return t("notSet");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The keys with different values in the bodies. */
function differences(bodies: readonly JsonObject[]): string[] {
  const keys = new Set(bodies.flatMap((body) => Object.keys(body)));
  return [...keys].filter((key) => new Set(bodies.map((body) => JSON.stringify(body[key]) ?? "")).size > 1);
}
