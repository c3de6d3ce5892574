import type { AccountMembership } from "#contract/accounts/account.ts";
import type { SearchParams } from "@/lib/page-props";

interface AccountChoiceProps {
  accounts: readonly AccountMembership[];
  current: string;
  search: SearchParams;
}

/** In which account of the person a client is connected: the page's address names it. */
export function AccountChoice({ accounts, current, search }: AccountChoiceProps) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === "string") query.set(name, value);
  return (
    <nav aria-label="Account to connect">
      <p className="mb-1 text-table font-medium">Account</p>
      <ul className="flex flex-wrap gap-2">
        {accounts.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`/a/${id}/authorize?${query}`}
              aria-current={id === current ? "true" : undefined}
              className="inline-flex min-h-6 items-center rounded-control border px-3 py-1 wrap-anywhere hover:bg-sunken aria-current:border-accent aria-current:font-medium"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
