import { EmptyState } from "@/components/ui/page/empty-state";
import { inAccount } from "@/lib/account-path";
import type { OwnAccount } from "./account-switcher.tsx";

/** Shown instead of the pages of an account of which the visitor is not (or no longer) a member. */
export function NotAMember({ accounts }: { accounts: readonly OwnAccount[] }) {
  return (
    <main className="mx-auto max-w-xl px-4 py-16">
      <EmptyState
        title="You are not a member of this account"
        body="Ask one of its owners or admins for an invitation, or open one of your accounts."
        action={
          <ul className="flex flex-wrap gap-2">
            {accounts.map(({ id, name }) => (
              <li key={id}>
                {/* A full page load, so that no data of one account stays in the page of another. */}
                <a href={inAccount(id, "/")} className="text-accent hover:underline">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        }
      />
    </main>
  );
}
