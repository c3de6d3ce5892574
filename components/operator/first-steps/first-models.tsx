"use client";

import type { OperatorProvider } from "#contract/operator/providers.ts";
import { LinkButton } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/use-place";
import { formatCount } from "@/lib/format";
import { guideHref } from "@/lib/operator/connecting";
import { ProviderTestPanel } from "../providers/provider-test.tsx";
import { UpstreamModels } from "../providers/upstream-models.tsx";
import { useUpstreamModels } from "../use-upstream-models.ts";
import { type Candidate, CatalogRoutes } from "./catalog-routes.tsx";

interface FirstModelsProps {
  provider: OperatorProvider;
  testNow: boolean;
  revision: number;
  /** How many operations it runs already. */
  chosen: number;
  /** Models of the catalog that it could run. */
  candidates: readonly Candidate[];
}

/** Whether the key works, and what the provider is to run. */
export function FirstModels({ provider, testNow, revision, chosen, candidates }: FirstModelsProps) {
  const router = usePageRouter();
  const { list, failure } = useUpstreamModels(provider.id, "");
  const describes = provider.imports !== "none";
  // Without a list there is nothing to choose from, but names can be typed.
  const lists = describes && !failure && (list === undefined || list.data.length > 0);
  const open = () => router.push(`/operator/providers/${encodeURIComponent(provider.id)}`);
  return (
    <>
      <ProviderTestPanel
        key={provider.updated_at}
        id={provider.id}
        testNow={testNow}
        fix={provider.managed_by === "console" ? { address: open, key: open } : null}
      />
      {lists ? (
        <UpstreamModels provider={provider} onImported={router.refresh} />
      ) : (
        <CatalogRoutes provider={provider} candidates={candidates} revision={revision} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <LinkButton
          variant={chosen > 0 ? "primary" : "secondary"}
          href={`${guideHref}?provider=${encodeURIComponent(provider.id)}&step=run`}
        >
          Go on to a first run
        </LinkButton>
        <p role="status" className="text-table text-muted">
          {chosen > 0
            ? `${provider.name} runs ${formatCount(chosen, "operation")}.`
            : "Choose at least one model first."}
        </p>
      </div>
    </>
  );
}
