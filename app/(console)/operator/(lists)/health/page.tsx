import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { loadHealthSearch } from "../../search-params.ts";
import { HealthClient } from "./client.tsx";

export const metadata: Metadata = { title: "Health" };

export default async function HealthPage({ searchParams }: RouteProps) {
  const { minutes } = await loadHealthSearch(searchParams);
  const report = await requestRoute("GET /operator/health", { query: { minutes } });
  if (!report.ok && report.error.code !== "service_unavailable")
    return (
      <>
        <PageHeader title="Health" />
        <LoadFailure error={report.error} />
      </>
    );
  return (
    <NuqsAdapter>
      <HealthClient
        {...(report.ok ? { initial: report.data, outage: null } : { initial: null, outage: report.error })}
      />
    </NuqsAdapter>
  );
}
