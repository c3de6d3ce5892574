import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { getAccount } from "@/lib/server/gateway/reads";

/** The operators' pages. The gateway checks every call again. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const account = await getAccount();
  if (!account.ok || account.data.user?.operator) return children;
  return (
    <>
      <PageHeader title="Instance" />
      <EmptyState
        drawing="gate"
        title="Only operators see this page"
        body={
          <>
            It changes this installation for all accounts. Somebody with a shell on the server can make you an
            operator: <code>gatehouse operators add your@e-mail</code>
          </>
        }
      />
    </>
  );
}
