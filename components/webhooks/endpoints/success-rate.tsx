import type { EndpointHealth } from "#contract/webhook.ts";
import { classNames } from "@/components/ui/class-names";

const goodFrom = 0.99;
const poorBelow = 0.9;

/** The share of finished attempts that were accepted in the last 24 hours. */
export function SuccessRate({ health }: { health: EndpointHealth | undefined }) {
  const rate = health?.success_rate_24h ?? null;
  if (rate === null) return <span className="text-faint">–</span>;
  const percent = Math.floor(rate * 1000) / 10;
  return (
    <span
      className={classNames(
        "tabular font-medium",
        rate >= goodFrom ? "text-good" : rate < poorBelow ? "text-bad" : "text-warn",
      )}
    >
      {percent} %
    </span>
  );
}
