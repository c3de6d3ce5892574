import { actionLabels } from "#contract/audit.ts";
import { listPage, titleOf } from "@/app/console-page";
import { auditList } from "@/lib/lists";
import { requestLanguage } from "@/lib/server/words";
import { codeLabels } from "@/lib/words/code-labels";
import { AuditLogsClient } from "./client.tsx";

const head = { title: "auditLog" } as const;

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: auditList }, async ({ query, requestRoute }) => {
  return (
    <AuditLogsClient
      rows={await requestRoute("GET /audit_logs", { query })}
      actionLabels={codeLabels(await requestLanguage(), actionLabels)}
    />
  );
});
