import type { ActivityList } from "#contract/activity.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import type { Stretch } from "./time-chart.tsx";

interface PickedStretchProps {
  picked: (Stretch & { of: "runs" | "deliveries" }) | null;
  list: Pick<ActivityList, "rows_kept_from">;
  onClear: () => void;
}

/** Links from a bar to the things it counts, and says which of them the history no longer has. */
export function PickedStretch({ picked, list, onClear }: PickedStretchProps) {
  const bounds =
    picked &&
    new URLSearchParams({
      created_after: new Date(picked.from).toISOString(),
      created_before: new Date(picked.to).toISOString(),
    }).toString();
  const keptFrom = list.rows_kept_from;
  const isGone = picked !== null && keptFrom !== null && picked.from < Date.parse(keptFrom);
  return (
    <div role="status">
      {picked && (
        <div className="mb-4 flex flex-wrap items-center gap-2 rounded-panel border bg-panel p-3 text-table">
          <span>
            <Time value={new Date(picked.from).toISOString()} mode="absolute" /> to{" "}
            <Time value={new Date(picked.to).toISOString()} mode="absolute" />
          </span>
          {picked.of === "runs" ? (
            <>
              <LinkButton size="sm" href={`/requests?${bounds}`}>
                Open the requests
              </LinkButton>
              <LinkButton size="sm" href={`/predictions?${bounds}`}>
                Open the predictions
              </LinkButton>
            </>
          ) : (
            <LinkButton size="sm" href={`/webhooks/deliveries?${bounds}`}>
              Open the deliveries
            </LinkButton>
          )}
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
          {isGone && (
            <span className="basis-full text-muted">
              What was before <Time value={keptFrom} mode="absolute" /> is counted here but no longer listed.
            </span>
          )}
        </div>
      )}
    </div>
  );
}
