import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import { Countdown } from "@/components/ui/time";
import { makerName } from "@/lib/team/maker";

/** What somebody should know of a batch beside its status. */
export function BatchNotices({ batch }: { batch: Batch }) {
  const by = makerName(batch.runs_as) ?? "the person who runs it";
  const ended = hasBatchEnded(batch.status);
  return (
    <div className="mb-4 space-y-2 empty:hidden">
      {batch.reason && <Notice tone="bad">{batch.reason.message}</Notice>}
      {batch.waits_until && (
        <Notice tone="warn">
          {by} reached a rate limit: the next row starts in{" "}
          <Countdown until={batch.waits_until} ended="a moment" />.
        </Notice>
      )}
      {batch.data_removed ? (
        <Notice tone="warn">Its inputs and results have expired and were deleted.</Notice>
      ) : (
        batch.first_output_expires_at && (
          <Notice tone="warn">
            Outputs expire: the first are deleted in{" "}
            <Countdown until={batch.first_output_expires_at} ended="a moment" />. Download the results
            {ended ? "." : " before then."}
          </Notice>
        )
      )}
    </div>
  );
}

const looks = { warn: "border-warn bg-warn-soft", bad: "border-bad bg-bad-soft" };

function Notice({ tone, children }: { tone: keyof typeof looks; children: React.ReactNode }) {
  return <p className={`rounded-panel border px-4 py-2 text-table ${looks[tone]}`}>{children}</p>;
}
