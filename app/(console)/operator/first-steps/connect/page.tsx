import { CircleCheck, OctagonAlert } from "lucide-react";
import { Suspense } from "react";
import type { RegionName } from "#contract/catalog.ts";
import type { ApiType } from "#contract/catalog-constants.ts";
import type { RouteTable } from "#contract/operator/routes.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { FirstModels } from "@/components/operator/first-steps/first-models";
import { UpstreamFailure } from "@/components/operator/upstream-failure";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { NumberedSteps } from "@/components/ui/page/step-list";
import { Time } from "@/components/ui/time";
import { connectedHref, guideHref, kindLabel } from "@/lib/operator/provider-labels";
import { presetName, presetNote } from "@/lib/operator/provider-presets";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";
import { listText } from "@/lib/words/list-text";
import { readMapping } from "../../mapping/read-mapping.ts";
import { FoundServersSection } from "../../providers/found-servers-section.tsx";
import { NewProvider, readNewProvider } from "../../providers/new/new-provider.tsx";

const head = headOf({
  title: "connectProvider",
  parts: ["operatorSteps", "operator", "providers", "sentences"],
});

export const generateMetadata = titleOf(head);

/** Three steps from a key to the first run. Each step has its own address, so that the back button works. */
export default page(head, async ({ t, word }) => {
  const provider = word("provider");
  const current = provider === null ? 0 : word("step") === "run" ? 2 : 1;
  return (
    <>
      <PageHeader
        title={t("connectAProvider")}
        description={[t("chooseAProvider"), t("chooseTheModels"), t("runOneModel")][current]}
      />
      <NumberedSteps names={[t("kindAndKey"), t("models"), t("firstRun")]} current={current} />
      {provider === null ? (
        <KeyStep wanted={word("preset")} />
      ) : current === 2 ? (
        <RunStep providerId={provider} />
      ) : (
        <ModelsStep providerId={provider} testNow={word("test") === "now"} />
      )}
    </>
  );
});

/** Chooses a provider and requests its key, or continues with a connected provider. */
async function KeyStep({ wanted }: { wanted: string | null }) {
  const [t, names] = [await words("operatorSteps"), await words("providerPresets")];
  const read = await readNewProvider();
  if (!read.ok) return <LoadFailure error={read.error} />;
  const preset = read.data.presets.find(({ id }) => id === wanted);
  const connected = read.data.providers.data.filter(({ status }) => status === "active");
  if (preset)
    return (
      <Section
        title={presetName(names, preset)}
        description={presetNote(names, preset) ?? undefined}
        actions={
          <LinkButton size="sm" href={guideHref}>
            {t("chooseAnother")}
          </LinkButton>
        }
      >
        <NewProvider preset={preset} read={read.data} guided />
      </Section>
    );
  return (
    <>
      {connected.length > 0 && (
        <Section title={t("continueWithAConnectedProvider")}>
          <ul className="flex flex-wrap gap-2">
            {connected.map(({ id, name }) => (
              <li key={id}>
                <LinkButton size="sm" href={connectedHref(id, true)}>
                  {name}
                </LinkButton>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Suspense>
        <FoundServersSection guided />
      </Suspense>
      <NewProvider preset={undefined} read={read.data} guided />
      <p className="text-muted">
        {t.rich(
          "nothingToConnect",
          {},
          {
            link: (label) => (
              <Link key="sandbox" href="/catalog" className="text-accent underline underline-offset-2">
                {label}
              </Link>
            ),
          },
        )}
      </p>
    </>
  );
}

/** Most models listed here: enough to try one. */
const maxShown = 20;
const ticksEveryMs = 5_000;

/** The models that the provider runs now, links to the playground, and the latest result. */
async function RunStep({ providerId }: { providerId: string }) {
  const t = await words("operatorSteps");
  const shared = await words("operator");
  const [provider, table, health] = await Promise.all([
    requestRoute("GET /operator/providers/{id}", { params: { id: providerId } }),
    requestRoute("GET /operator/routes"),
    requestRoute("GET /operator/health"),
  ]);
  if (!provider.ok) return <LoadFailure error={provider.error} />;
  if (!table.ok) return <LoadFailure error={table.error} />;
  const { name } = provider.data;
  const served = servedBy(name, table.data);
  const back = (
    <LinkButton href={connectedHref(providerId, true)} variant={served.length === 0 ? "primary" : undefined}>
      {t("chooseModels")}
    </LinkButton>
  );
  if (served.length === 0)
    return (
      <EmptyState
        drawing="signal"
        title={t("nameRunsNoModelYet", { name })}
        body={t("chooseAtLeastOneModel")}
        action={back}
      />
    );
  const tries = health.ok ? health.data.data.filter((one) => one.provider === name) : [];
  const lastOf = (times: (string | null | undefined)[]) =>
    times
      .filter((time) => time != null)
      .sort()
      .at(-1);
  const succeeded = lastOf(tries.map(({ last_success_at: at }) => at));
  const failure = tries
    .flatMap(({ last_failure: last }) => last ?? [])
    .filter(({ at }) => succeeded === undefined || at > succeeded)
    .sort((one, other) => one.at.localeCompare(other.at))
    .at(-1);
  return (
    <>
      <div role="status">
        {succeeded && (
          <p className="mb-4 flex flex-wrap items-center gap-2 rounded-panel border border-good bg-good-soft p-3">
            <CircleCheck size={18} aria-hidden className="text-good" />
            <span className="min-w-0 flex-1">
              {t.rich("answeredAt", { name }, { time: () => <Time key="time" value={succeeded} /> })}
            </span>
            <LinkButton size="sm" href="/operator/first-steps">
              {t("backToTheFirstSteps")}
            </LinkButton>
          </p>
        )}
        {failure && (
          <p className="mb-4 flex items-start gap-2 rounded-panel border border-bad bg-bad-soft p-3">
            <OctagonAlert size={18} aria-hidden className="mt-px shrink-0 text-bad" />
            <span className="min-w-0 wrap-anywhere">
              {t.rich(
                "attemptFailed",
                { reason: failure.message || failure.code },
                {
                  english: () => <UpstreamFailure key="english" {...failure} />,
                  time: () => <Time key="time" value={failure.at} />,
                },
              )}
            </span>
          </p>
        )}
      </div>
      <Section
        title={t("runOneOfThese")}
        description={t("thePlaygroundOpensWithAn")}
        actions={
          <>
            <LivePage drawnAtMs={Date.now()} everyMs={ticksEveryMs} />
            {back}
          </>
        }
      >
        <Table label={t("modelsOfTheProvider")}>
          <thead>
            <tr>
              <Th>{t("model")}</Th>
              <Th>{t("runs")}</Th>
              <Th className="max-tablet:hidden">{t("atTheProvider")}</Th>
              <Th className="max-desktop:hidden">{t("regions")}</Th>
            </tr>
          </thead>
          <tbody>
            {served.slice(0, maxShown).map(({ model, apiType, upstreamModel, regions }) => (
              <Tr key={`${model} ${apiType}`}>
                <Td>
                  <RowLink href={`/playground/${model}/${apiType}`} className="wrap-anywhere">
                    {model}
                  </RowLink>
                </Td>
                <Td>{kindLabel(shared, apiType)}</Td>
                <Td className="font-mono text-meta wrap-anywhere max-tablet:hidden">{upstreamModel}</Td>
                <Td className="text-meta text-muted max-desktop:hidden">
                  {listText(t.language, regions, "plain")}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
        {served.length > maxShown && (
          <p className="mt-2 text-meta text-muted">
            {t("moreOperations", { count: served.length - maxShown })}
          </p>
        )}
      </Section>
    </>
  );
}

interface ModelsStepProps {
  providerId: string;
  testNow: boolean;
}

/** The provider's models if it lists them. Otherwise the catalog's models that it could run. */
async function ModelsStep({ providerId, testNow }: ModelsStepProps) {
  const [provider, presets, mapping] = await Promise.all([
    requestRoute("GET /operator/providers/{id}", { params: { id: providerId } }),
    requestRoute("GET /operator/provider_presets"),
    readMapping(),
  ]);
  if (!provider.ok) return <LoadFailure error={provider.error} />;
  if (!mapping.ok) return <LoadFailure error={mapping.error} />;
  const { table, models } = mapping.data;
  const regions = provider.data.credentials.map(({ region }) => region);
  const preset = presets.ok ? presets.data.data.find(({ id }) => id === provider.data.preset) : null;
  // A provider that was added by hand has no preset, so any kind of model is possible.
  const kinds = new Set<string>(preset?.runs ?? models.flatMap(({ api_types }) => api_types));
  return (
    <FirstModels
      key={provider.data.id}
      provider={provider.data}
      testNow={testNow}
      revision={table.revision}
      chosen={servedBy(provider.data.name, table).length}
      candidates={models
        .filter(({ id }) => id.startsWith("svc/"))
        .flatMap(({ id, api_types, available_regions }) => {
          const shared = available_regions.filter((region) => regions.includes(region));
          const runs = api_types.filter((type): type is ApiType => kinds.has(type));
          return shared.length > 0 && runs.length > 0 ? [{ id, apiTypes: runs, regions: shared }] : [];
        })}
    />
  );
}

interface ServedOperation {
  model: string;
  apiType: ApiType;
  upstreamModel: string;
  regions: RegionName[];
}

/** The operations that a provider runs, each with its regions. */
function servedBy(provider: string, { data }: RouteTable): ServedOperation[] {
  const found = new Map<string, ServedOperation>();
  for (const route of data.filter((one) => one.provider === provider))
    for (const { model, api_type: apiType, region } of route.serves) {
      const known = found.get(`${model} ${apiType}`);
      if (known && !known.regions.includes(region)) known.regions.push(region);
      if (!known)
        found.set(`${model} ${apiType}`, {
          model,
          apiType,
          upstreamModel: route.upstream_model,
          regions: [region],
        });
    }
  return [...found.values()];
}
