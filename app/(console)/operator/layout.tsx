import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { getAccount } from "@/lib/server/gateway/reads";
import { words } from "@/lib/server/words";

/** The operators' pages. The gateway checks the right again at every call. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const t = await words("operatorPages");
  const account = await getAccount();
  if (!account.ok || account.data.user?.operator) return children;
  return (
    <>
      <PageHeader title={t("instance")} />
      <EmptyState
        drawing="gate"
        title={t("onlyOperatorsSeeThisPage")}
        body={t.rich("operatorsOnly", {}, { code: (command) => <code key="command">{command}</code> })}
      />
    </>
  );
}
