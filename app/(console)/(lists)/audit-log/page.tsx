import { actionLabels } from "#contract/audit.ts";
import { listPage } from "@/app/console-page";
import { auditList } from "@/lib/lists";
import { AuditLogsClient } from "./client.tsx";

export const metadata = { title: "Audit log" };

export default listPage({ ...metadata, list: auditList }, async ({ query, requestRoute }) => {
  return (
    <AuditLogsClient rows={await requestRoute("GET /audit_logs", { query })} actionLabels={actionLabels} />
  );
});
