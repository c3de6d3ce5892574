import type { Account } from "#contract/accounts/account.ts";
import { Badge } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";

/** Who this browser acts as at the gateway. */
export function AccountFacts({ account }: { account: Account }) {
  return (
    <Facts
      facts={[
        ["Account", account.name],
        ["Account id", <IdChip key="id" id={account.id} />],
        ["Created", <Time key="since" value={account.created_at} mode="absolute" />],
        ...(account.user
          ? ([
              ["Signed in as", account.user.name],
              ["E-mail", account.user.email],
            ] as const)
          : []),
        ...(account.key
          ? ([
              ["Signed in with key", account.key.name],
              [
                "Scopes",
                <span key="scopes" className="inline-flex flex-wrap gap-1">
                  {account.key.scopes.map((scope) => (
                    <Badge key={scope}>{scope}</Badge>
                  ))}
                </span>,
              ],
            ] as const)
          : []),
      ]}
    />
  );
}
