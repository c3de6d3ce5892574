import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { getAccount } from "@/lib/server/gateway/reads";

/** The operators' pages. The gateway checks the right again at every call. */
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
            Changes here apply to all accounts of this installation. Somebody with a shell on the server can
            make you an operator: <code>gatehouse operators add your@e-mail</code>
          </>
        }
      />
    </>
  );
}
