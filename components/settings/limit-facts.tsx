import type { ReactNode } from "react";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import { useWords } from "#words";
import { Facts } from "@/components/ui/facts";
import { formatBytes } from "@/lib/format";

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
  const t = useWords("settings");
  const shown = <Name extends keyof AccountLimits>(
    name: Name,
    text: (limit: NonNullable<AccountLimits[Name]>) => ReactNode,
    none = t("noLimit"),
  ): ReactNode => {
    const limit = limits[name];
    return (
      <>
        {limit === null ? none : text(limit)}
        {set && limit !== null && limit === set[name] && (
          <span className="text-muted"> {t("forThisAccount")}</span>
        )}
      </>
    );
  };
  const list = (names: readonly string[]) => <span className="font-mono text-meta">{names.join(", ")}</span>;
  return (
    <Facts
      facts={[
        ...(plan === null ? [] : [[t("plan"), plan] as const]),
        [t("requests"), shown("requests_per_minute", (count) => t("requestsAMinute", { count }))],
        [t("tokens"), shown("tokens_per_minute", (count) => t("tokensAMinute", { count }))],
        [
          t("atOnce"),
          shown("max_concurrency", (count) => t("requestCount", { count }), t("noLimitTogether")),
        ],
        [
          t("storedFiles"),
          shown("storage_bytes", (bytes) =>
            t("storedOf", { stored: formatBytes(storedBytes), limit: formatBytes(bytes) }),
          ),
        ],
        [
          t("contentsOfCalls"),
          shown("contents_days", (days) => t("keptForAtMost", { count: days }), t("neverKept")),
        ],
        [
          t("shorterRetention"),
          shown(
            "shortest_retention_minutes",
            (minutes) => t("ownersMayChoose", { count: minutes }),
            t("ownersMayNot"),
          ),
        ],
        [t("models"), shown("models", list, t("all"))],
        [t("regions"), shown("regions", list, t("all"))],
      ]}
    />
  );
}
