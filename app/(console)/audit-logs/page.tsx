import type { Metadata } from "next";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { listAuditLogs } from "@/lib/server/gateway/account";
import { requireSession } from "@/lib/server/session";
import { AuditLogsClient } from "./client";
import { loadAuditSearch } from "./search-params";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const { action } = await loadAuditSearch(search);
  return <AuditLogsClient rows={await listAuditLogs({ ...pageQueryOf(search), action })} />;
}
