import type { Metadata } from "next";
import { IncidentActions } from "@/components/status/incident-actions";
import { StatusView } from "@/components/status/status-view";
import { WriteIncident } from "@/components/status/write-incident";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { getAccount } from "@/lib/server/gateway/account";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Status" };

/** Operators also see incidents about models of other accounts. */
const shownToOperators = 50;

export default async function StatusPage() {
  await requireSession();
  const account = await getAccount();
  const operates = account.ok && account.data.user?.operator === true;
  const [status, all] = await Promise.all([
    requestRoute("GET /status"),
    operates ? requestRoute("GET /operator/incidents", { query: { limit: shownToOperators } }) : null,
  ]);
  const models = status.ok ? status.data.models.map(({ model }) => model) : [];
  return (
    <>
      <PageHeader
        title="Status"
        description="Current health and the last 30 days, from real requests."
        actions={
          <>
            <LivePage drawnAtMs={Date.now()} />
            {status.ok && operates && <WriteIncident models={models} />}
          </>
        }
      />
      {status.ok ? (
        <StatusView
          status={status.data}
          incidents={all?.ok ? all.data.data : status.data.incidents}
          links
          {...(operates && {
            actionsOf: (incident) => <IncidentActions incident={incident} models={models} />,
          })}
        />
      ) : status.error.code === "route_not_found" ? (
        <NotOffered what="a status page">Regions shows their current health.</NotOffered>
      ) : (
        <LoadFailure error={status.error} />
      )}
    </>
  );
}
