import type { Metadata } from "next";
import { actionLabels } from "#contract/audit.ts";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { auditList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { AuditLogsClient } from "./client";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = auditList.queryOf(auditList.viewOf(search), Date.now());
  return (
    <>
      <IgnoredFilters given={search} known={auditList.empty} />
      <AuditLogsClient rows={await requestRoute("GET /audit_logs", { query })} actionLabels={actionLabels} />
    </>
  );
}
