import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { AuditLogsClient } from "./client";
import { auditSearch } from "./search-params";

const loadSearch = createLoader(auditSearch);

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const { action, user_id } = await loadSearch(search);
  return (
    <>
      <IgnoredFilters given={search} known={auditSearch} />
      <AuditLogsClient
        rows={await requestRoute("GET /audit_logs", { query: { ...pageQueryOf(search), action, user_id } })}
      />
    </>
  );
}
