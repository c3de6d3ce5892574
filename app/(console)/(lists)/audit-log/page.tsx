import { actionLabels } from "#contract/audit.ts";
import { headOf, listPage, titleOf } from "@/app/console-page";
import { auditList } from "@/lib/lists";
import { messageLanguage } from "@/lib/server/words";
import { codeLabels } from "@/lib/words/code-labels";
import { AuditLogsClient } from "./client.tsx";

const head = headOf({ title: "auditLog", parts: ["auditLog"] });

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: auditList }, async ({ query, requestRoute }) => {
  return (
    <AuditLogsClient
      rows={await requestRoute("GET /audit_logs", { query })}
      actionLabels={codeLabels(await messageLanguage(), actionLabels)}
    />
  );
});
