import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { type RegionRow, regionRows, type TroubledDeployment } from "@/components/regions/region-rows";
import { IncidentActions, WriteIncident } from "@/components/status/incident-actions";
import { StatusView } from "@/components/status/status-view";
import { Badge, StatusPill } from "@/components/ui/badge";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { getAccount, getModels } from "@/lib/server/gateway/reads";
import { placeOf } from "@/lib/status/place";
import { regionLook } from "@/lib/status/service";
import type { Words } from "@/messages/words";

const head = headOf({ title: "statusAndRegions", parts: ["status"] });

export const generateMetadata = titleOf(head);

/** Operators also see incidents about models of other accounts. */
const shownToOperators = 50;

export default page(head, async ({ t, requestRoute }) => {
  const account = await getAccount();
  const operates = account.ok && account.data.user?.operator === true;
  const [status, all, regions, models] = await Promise.all([
    requestRoute("GET /status"),
    operates ? requestRoute("GET /operator/incidents", { query: { limit: shownToOperators } }) : null,
    requestRoute("GET /regions"),
    getModels(),
  ]);
  const modelIds = status.ok ? status.data.models.map(({ model }) => model) : [];
  const rows = regions.ok ? regionRows(regions.data.data, models.ok ? models.data.data : null) : [];
  return (
    <>
      <PageHeader
        title={t("statusAndRegions")}
        description={t("currentHealthAndTheLast")}
        actions={
          <>
            <LivePage drawnAtMs={Date.now()} />
            {status.ok && operates && <WriteIncident models={modelIds} />}
          </>
        }
      />
      {status.ok ? (
        <StatusView
          status={status.data}
          incidents={all?.ok ? all.data.data : status.data.incidents}
          links
          {...(operates && {
            actionsOf: (incident) => <IncidentActions incident={incident} models={modelIds} />,
          })}
        />
      ) : (
        status.error.code !== "route_not_found" && <LoadFailure error={status.error} />
      )}
      <Section title={t("whereModelsRun")} description={t("aRegionsRowOpensIts")}>
        {regions.ok ? <RegionTable rows={rows} /> : <LoadFailure error={regions.error} />}
      </Section>
      {regions.ok && (
        <Section title={t("unhealthyDeployments")} description={t("requestsAreRoutedToA")}>
          {models.ok ? (
            <TroubledDeployments deployments={rows.flatMap((row) => row.troubled)} />
          ) : (
            <LoadFailure error={models.error} />
          )}
        </Section>
      )}
    </>
  );
});

/** Every region with its health and its deployments. A row opens the region's models. */
function RegionTable({ rows }: { rows: readonly RegionRow[] }) {
  const t = useWords("status");
  return (
    <Table label={t("whereModelsRun")}>
      <thead>
        <tr>
          <Th>{t("region")}</Th>
          <Th>{t("location")}</Th>
          <Th>{t("status")}</Th>
          <Th numeric>{t("models")}</Th>
          <Th>{t("deployments")}</Th>
          <Th from="desktop">{t("operations")}</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const look = regionLook(t, row.status);
          return (
            <Tr key={row.id}>
              <Td>
                <RowLink href={`/catalog?region=${row.id}`} className="font-mono whitespace-nowrap">
                  {row.id}
                </RowLink>
              </Td>
              <Td className="whitespace-nowrap" label={t("location")}>
                {placeOf(t, row)}
              </Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
              <Td numeric label={t("models")}>
                {row.model_count}
              </Td>
              <Td className="tabular whitespace-nowrap" label={t("deployments")}>
                {describeDeployments(t, row)}
              </Td>
              <Td from="desktop" label={t("operations")}>
                <RowControls className="flex-wrap">
                  {row.api_types.map((apiType) => (
                    <Link
                      key={apiType}
                      href={`/catalog?region=${row.id}&api_type=${apiType}`}
                      className="rounded-[6px] hover:underline"
                    >
                      <Badge>{apiType}</Badge>
                    </Link>
                  ))}
                </RowControls>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function describeDeployments(t: Words<"status">, { deployments, troubled }: RegionRow): string {
  if (deployments === null) return "–";
  if (troubled.length === 0) return t("allHealthy", { count: deployments });
  return t("someHealthy", { some: deployments - troubled.length, all: deployments });
}

/** Deployments that are not healthy, one row each. */
function TroubledDeployments({ deployments }: { deployments: readonly TroubledDeployment[] }) {
  const t = useWords("status");
  if (deployments.length === 0) return <p className="text-muted">{t("allDeploymentsAreHealthy")}</p>;
  return (
    <Table label={t("unhealthyDeployments")}>
      <thead>
        <tr>
          <Th>{t("model")}</Th>
          <Th>{t("operation")}</Th>
          <Th>{t("region")}</Th>
          <Th>{t("status")}</Th>
        </tr>
      </thead>
      <tbody>
        {deployments.map(({ modelId, apiType, region, status }) => {
          const look = regionLook(t, status);
          return (
            <Tr key={`${modelId} ${apiType} ${region}`}>
              <Td>
                <RowLink href={`/catalog/${modelId}`} className="font-mono whitespace-nowrap">
                  {modelId}
                </RowLink>
              </Td>
              <Td label={t("operation")}>{apiType}</Td>
              <Td className="font-mono whitespace-nowrap">{region}</Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
