"use client";

import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { useOutputsOfRun } from "@/lib/outputs/outputs-of-run";
import { describeCredentials, ProvenanceFacts, ProvenanceLimits } from "./provenance-facts.tsx";

/** How often, and at which interval, to read manifests again that were not ready in time. */
const askAgainMs = 2_000;
const maxAsks = 10;

/** The origin of a prediction's files. Hidden if the gateway does not provide it, and for removed files. */
export function OutputProvenance({ prediction: { id } }: { prediction: Prediction }) {
  const t = useWords("provenance");
  const { data, error, refetch } = useOutputsOfRun(id, {
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < maxAsks && state.data?.data.some(isUnread) ? askAgainMs : false,
  });
  const failure = failureBehind(error);
  if (failure?.code === "route_not_found") return null;
  if (failure) return <ErrorPanel error={failure} onRetry={() => void refetch()} />;
  // The gateway lists the newest file first, but this list starts with the first file.
  const files = data?.data.toReversed() ?? [];
  if (files.length === 0) return null;
  return (
    <Section
      title={t("whereItComesFrom")}
      className="mt-6"
      actions={
        <Link
          href="/library/check-a-file"
          className="text-table text-accent underline-offset-2 hover:underline"
        >
          {t("checkAFile")}
        </Link>
      }
    >
      <ul className="space-y-2">
        {files.map((file, index) => (
          <li key={file.id} className="text-table">
            <p className="wrap-anywhere">
              {files.length > 1
                ? t("credentialsOfOutput", {
                    number: index + 1,
                    state: describeCredentials(file.provenance, t),
                  })
                : t("credentials", { state: describeCredentials(file.provenance, t) })}
            </p>
            <details className="mt-1">
              <summary className="w-fit rounded-control text-muted">{t("details")}</summary>
              <div className="mt-2 space-y-2">
                <ProvenanceFacts provenance={file.provenance} />
                <ProvenanceLimits />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function isUnread({ provenance }: { provenance: { reason?: string } }): boolean {
  return provenance.reason === "not_read";
}
