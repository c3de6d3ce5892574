import type { ReactNode } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { permissionsByRoles } from "#contract/accounts/permissions.ts";
import { NotAMember } from "@/components/shell/not-a-member";
import { Shell } from "@/components/shell/shell";
import { ShellIcons } from "@/components/shell/shell-icons";
import { AccessProvider } from "@/components/team/access";
import type { GatewayResult } from "@/lib/gateway/result";
import { unreadByCause, unreadOf } from "@/lib/notices/unread";
import { getAccount } from "@/lib/server/gateway/account";
import { listAccounts, requestRoute } from "@/lib/server/gateway/request";
import { getEndpoints } from "@/lib/server/gateway/webhooks";
import { requireSession } from "@/lib/server/session";
import { stoppedOf } from "@/lib/webhooks/stopped-endpoints";
import { signOut } from "../sign-in/actions.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  // Health and unread notices are read here, so that they are in the first paint of every page.
  const [account, endpoints, regions, notices] = await Promise.all([
    getAccount(),
    getEndpoints(),
    requestRoute("GET /regions"),
    session.kind === "user" ? requestRoute("GET /notices", { query: unreadByCause }) : null,
  ]);
  // Most people have only one account, and it has already been read.
  const own = account.ok && !account.data.user?.has_other_accounts ? null : await listAccounts();
  const accounts = own?.ok ? own.data.map(({ id, name, role }) => ({ id, name, role })) : [];
  if (!account.ok && account.error.code === "account_not_found") return <NotAMember accounts={accounts} />;
  return (
    <AccessProvider account={account.ok ? account.data : null} permissionsByRoles={permissionsByRoles}>
      <ShellIcons />
      <Shell
        session={session}
        accounts={accounts}
        signOut={signOut}
        regions={regions.ok ? regions.data : null}
        unread={notices?.ok ? unreadOf(notices.data) : null}
        stoppedEndpoints={stoppedOf(endpoints)}
        secondFactorFrom={missingSecondFactor(account)}
      >
        {children}
      </Shell>
    </AccessProvider>
  );
}

/** When the account will require a second factor, for a member who has none; else null. */
function missingSecondFactor(account: GatewayResult<Account>): string | null {
  return account.ok && account.data.user?.needs_second_factor ? account.data.second_factor_from : null;
}
