import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { OperatorRoute } from "#contract/operator/routes.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { ManagedByFile } from "@/components/operator/marks";
import {
  MapAllButton,
  OperationsTable,
  RemoveRouteButton,
} from "@/components/operator/routes/operations-table";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Coded } from "@/components/words/coded";
import { operationsOf } from "@/lib/operator/route-entry";
import { listText } from "@/lib/words/list-text";
import { readMapping } from "../../mapping/read-mapping.ts";

const head = headOf({ title: "mapping", parts: ["mapping", "operator", "sentences"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, need }) => {
  const { table, models, providers } = await need(readMapping());
  return (
    <>
      <PageHeader
        title={t("mapping")}
        description={t("whichProviderRunsEachOperation")}
        actions={
          providers.length > 0 && (
            <>
              <MapAllButton providers={providers} />
              <LinkButton
                variant="primary"
                icon={<Plus size={16} aria-hidden />}
                href="/operator/mapping/new"
              >
                {t("addRoute")}
              </LinkButton>
            </>
          )
        }
      />
      {table.data.length > 0 ? (
        <Section title={t("routes")} description={t("ifAnOperationHasSeveral")}>
          <RoutesTable routes={table.data} revision={table.revision} />
        </Section>
      ) : (
        <NothingMapped hasProviders={providers.length > 0} />
      )}
      <NuqsAdapter>
        <OperationsTable operations={operationsOf(models, table.data)} unmapped={table.unmapped} />
      </NuqsAdapter>
    </>
  );
});

function NothingMapped({ hasProviders }: { hasProviders: boolean }) {
  const t = useWords("mapping");
  return (
    <EmptyState
      className="mb-8"
      drawing="signal"
      title={t("nothingIsMappedYet")}
      body={hasProviders ? t("mapAllChatModels") : t("addAProviderUntil")}
      action={
        hasProviders ? (
          <LinkButton variant="primary" href="/operator/mapping/new">
            {t("addFirstRoute")}
          </LinkButton>
        ) : (
          <LinkButton variant="primary" href="/operator/providers/new">
            {t("addProvider")}
          </LinkButton>
        )
      }
    />
  );
}

const shownModels = 3;

function RoutesTable({ routes, revision }: { routes: readonly OperatorRoute[]; revision: number }) {
  const t = useWords("mapping");
  return (
    <Table label={t("routes")}>
      <thead>
        <tr>
          <Th>{t("models")}</Th>
          <Th>{t("runAt")}</Th>
          <Th numeric>{t("order")}</Th>
          <Th numeric>{t("share")}</Th>
          <Th from="desktop">{t("regions")}</Th>
          <Th>
            <span className="sr-only">{t("actions")}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {routes.map((route) => (
          <RouteRow key={route.id} route={route} revision={revision} />
        ))}
      </tbody>
    </Table>
  );
}

function RouteRow({ route, revision }: { route: OperatorRoute; revision: number }) {
  const t = useWords("mapping");
  const { id, models, provider, upstream_model, priority, weight, regions, problem, serves, overruled } =
    route;
  const { problem_codes: codes } = route;
  const more = models.length - shownModels;
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/mapping/${encodeURIComponent(id)}`} className="block wrap-anywhere">
          {more > 0
            ? t("namesAndMore", { names: listText(t.language, models.slice(0, shownModels), "plain"), more })
            : listText(t.language, models, "plain")}
        </RowLink>
        <span className="flex flex-wrap gap-1.5">
          {route.managed_by === "file" && <ManagedByFile />}
          {problem && <Badge tone="bad">{serves.length === 0 ? t("cannotRun") : t("hasAProblem")}</Badge>}
          {overruled.length > 0 && (
            <Badge tone="warn" title={t("theProvidersFileOverridesThis")}>
              {t("theFileOverridesOverruledOf", { overruled: overruled.length })}
            </Badge>
          )}
        </span>
        {problem && (
          <span className="block text-meta text-bad wrap-anywhere">
            <Coded text={problem} codes={codes} />
          </span>
        )}
      </Td>
      <Td className="max-w-72">
        <span className="block wrap-anywhere">{provider}</span>
        <span className="block font-mono text-meta text-muted wrap-anywhere">{upstream_model}</span>
      </Td>
      <Td numeric label={t("order")}>
        {priority}
      </Td>
      <Td numeric label={t("share")}>
        {weight ?? "–"}
      </Td>
      <Td className="text-meta text-muted" from="desktop" label={t("regions")}>
        {(regions && listText(t.language, regions, "plain")) ?? t("allOfTheProvider")}
      </Td>
      <Td className="text-right">
        {route.managed_by === "console" && (
          <RowControls>
            <RemoveRouteButton
              id={id}
              what={t("modelAtProvider", { model: upstream_model, provider })}
              revision={revision}
            />
          </RowControls>
        )}
      </Td>
    </Tr>
  );
}
