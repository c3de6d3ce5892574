"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiType, RegionName } from "#contract/catalog-constants.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Button, LinkButton } from "@/components/ui/button";
import { SelectField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { saveRoute } from "@/lib/operator/actions";
import { guideHref, kindLabel } from "@/lib/operator/provider-labels";
import { listText } from "@/lib/words/list-text";
import { UpstreamField, useUpstreamModels } from "../provider-model-fields.tsx";
import { useChange } from "../use-change.ts";

// Loaded late, because the steps before and after do without them.
const ProviderTestPanel = dynamic(
  () => import("../providers/upstream-models.tsx").then((module) => module.ProviderTestPanel),
  { loading: () => null },
);
const UpstreamModels = dynamic(
  () => import("../providers/upstream-models.tsx").then((module) => module.UpstreamModels),
  { loading: () => null },
);

interface FirstModelsProps {
  provider: OperatorProvider;
  testNow: boolean;
  revision: number;
  /** How many operations already run at the provider. */
  chosen: number;
  /** Models of the catalog that the provider could run. */
  candidates: readonly Candidate[];
}

/** The step that shows whether the key works, and chooses the models that the provider should run. */
export function FirstModels({ provider, testNow, revision, chosen, candidates }: FirstModelsProps) {
  const t = useWords("operatorSteps");
  const router = usePageRouter();
  const { list, failure } = useUpstreamModels(provider.id, "");
  const describes = provider.imports !== "none";
  // Without a list there is nothing to choose from, but the operator can type names. A list stays if it could
  // not be read once more.
  const lists = describes && (list ? list.data.length > 0 : !failure);
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
          {t("continueToAFirstRun")}
        </LinkButton>
        <p role="status" className="text-table text-muted">
          {chosen > 0
            ? t("providerRuns", { name: provider.name, count: chosen })
            : t("chooseAtLeastOneModel")}
        </p>
      </div>
    </>
  );
}

/** A model of the catalog that the provider could run. */
interface Candidate {
  id: string;
  apiTypes: ApiType[];
  /** The model's regions for which the provider has a key. */
  regions: RegionName[];
}

interface CatalogRoutesProps {
  provider: OperatorProvider;
  candidates: readonly Candidate[];
  revision: number;
}

/**
 * For a provider without importable models: models of the catalog that can run on one of the provider's
 * models.
 */
function CatalogRoutes({ provider, candidates, revision }: CatalogRoutesProps) {
  const t = useWords("operatorSteps");
  const shared = useWords("operator");
  const { change } = useChange();
  const { busy, failure, attempt } = useSend();
  const kinds = [...new Set(candidates.flatMap(({ apiTypes }) => apiTypes))];
  const [chosenKind, setKind] = useState<ApiType | null>(null);
  const kind = chosenKind ?? kinds[0];
  const [upstream, setUpstream] = useState("");
  const [ticked, setTicked] = useState<string[]>([]);
  const [missing, setMissing] = useState(false);
  if (!kind)
    return (
      <EmptyState
        className="mb-8"
        drawing="signal"
        title={t("noModelOfTheCatalog")}
        body={t("noKeyForRegion", { name: provider.name })}
      />
    );
  const offered = candidates.filter(({ apiTypes }) => apiTypes.includes(kind));
  const models = ticked.filter((id) => offered.some((one) => one.id === id));
  const choose = async () => {
    setMissing(upstream.trim() === "" || models.length === 0);
    if (upstream.trim() === "" || models.length === 0) return;
    const entry = { models, api_types: [kind], provider: provider.name, upstream_model: upstream.trim() };
    await attempt(() =>
      change(
        saveRoute(null, entry, revision),
        t("modelsMapped", { count: models.length, to: entry.upstream_model }),
        () => setTicked([]),
      ),
    );
  };
  return (
    <Section
      title={t("modelsOfTheCatalog")}
      description={t("chooseWhichOfTheseModels", { name: provider.name })}
    >
      <div className="max-w-[720px] space-y-4 rounded-panel border bg-panel p-4">
        <div className="grid items-start gap-4 phone:grid-cols-[2fr_3fr]">
          <SelectField
            label={t("kind")}
            value={kind}
            onValue={setKind}
            options={kinds.map((type) => [type, kindLabel(shared, type)])}
          />
          <UpstreamField
            error={missing && upstream.trim() === "" ? shared("enterUpstream") : undefined}
            providerId={provider.id}
            value={upstream}
            onValue={setUpstream}
          />
        </div>
        <CheckList
          legend={t("modelsToRunAt", { name: provider.name, chosen: models.length, all: offered.length })}
          options={offered.map(({ id, regions }) => ({
            value: id,
            label: (
              <span className="wrap-anywhere">
                {id} <span className="text-meta text-muted">{listText(t.language, regions, "plain")}</span>
              </span>
            ),
          }))}
          value={ticked}
          onChange={setTicked}
          error={missing && models.length === 0 ? t("chooseAtLeastOneModel2") : undefined}
        />
        {failure && <ErrorPanel error={failure} />}
        <Button variant="primary" busy={busy} onClick={() => void choose()}>
          {t("runModelsThere", { count: models.length })}
        </Button>
      </div>
    </Section>
  );
}
