import type { ReactNode } from "react";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import { Facts } from "@/components/ui/facts";
import { formatBytes, formatCount } from "@/lib/format";

interface LimitFactsProps {
  /** What limits the account; null: nothing does. */
  limits: AccountLimits;
  storedBytes: number;
  /** The name of the account's plan. */
  plan: string | null;
  /** What operators set for this account, to mark it. */
  set?: AccountLimits;
}

/** What limits all keys and members of an account together. */
export function LimitFacts({ limits, storedBytes, plan, set }: LimitFactsProps) {
  const shown = <Name extends keyof AccountLimits>(
    name: Name,
    text: (limit: NonNullable<AccountLimits[Name]>) => ReactNode,
    none = "No limit",
  ): ReactNode => {
    const limit = limits[name];
    return (
      <>
        {limit === null ? none : text(limit)}
        {set && limit !== null && limit === set[name] && (
          <span className="text-muted"> · for this account</span>
        )}
      </>
    );
  };
  const list = (names: readonly string[]) => <span className="font-mono text-meta">{names.join(", ")}</span>;
  return (
    <Facts
      facts={[
        ...(plan === null ? [] : [["Plan", plan] as const]),
        ["Requests", shown("requests_per_minute", (count) => `${formatCount(count, "request")} a minute`)],
        ["Tokens", shown("tokens_per_minute", (count) => `${formatCount(count, "token")} a minute`)],
        [
          "At once",
          shown(
            "max_concurrency",
            (count) => formatCount(count, "request"),
            "No limit for all keys together",
          ),
        ],
        [
          "Stored files",
          shown("storage_bytes", (bytes) => `${formatBytes(storedBytes)} of ${formatBytes(bytes)}`),
        ],
        [
          "Contents of calls",
          shown("contents_days", (days) => `Kept for at most ${formatCount(days, "day")}`, "Never kept"),
        ],
        [
          "Shorter retention",
          shown(
            "shortest_retention_minutes",
            (minutes) => `Owners may choose ${formatCount(minutes, "minute")} or more`,
            "Owners may not choose one",
          ),
        ],
        ["Models", shown("models", list, "All")],
        ["Regions", shown("regions", list, "All")],
      ]}
    />
  );
}
