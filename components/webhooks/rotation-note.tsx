import { Time } from "@/components/ui/time";

/** How long the secret before this one goes on working. */
export function RotationNote({ until }: { until: string | null }) {
  if (until === null || Date.parse(until) <= Date.now()) {
    return <p>The old secret no longer signs anything: put the new one into your receiver now.</p>;
  }
  return (
    <p>
      Both secrets sign until <Time value={until} mode="absolute" />. Put the new one into your receiver
      before then.
    </p>
  );
}
