import type { ReactNode } from "react";
import { pageLimit } from "#contract/list.ts";
import { Shell } from "@/components/shell/shell";
import { AccessProvider } from "@/components/team/access";
import { getAccount } from "@/lib/server/gateway/account";
import { listEndpoints } from "@/lib/server/gateway/webhooks";
import { requireSession } from "@/lib/server/session";
import { stoppedOf } from "@/lib/webhooks/stopped-endpoints";
import { signOut } from "../sign-in/actions.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  const [account, endpoints] = await Promise.all([getAccount(), listEndpoints({ limit: pageLimit.max })]);
  return (
    <AccessProvider account={account.ok ? account.data : null}>
      <Shell session={session} signOut={signOut} stoppedEndpoints={stoppedOf(endpoints)}>
        {children}
      </Shell>
    </AccessProvider>
  );
}
