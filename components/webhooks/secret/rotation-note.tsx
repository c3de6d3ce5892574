import { Time } from "@/components/ui/time";

/** How long the previous secret keeps working. */
export function RotationNote({ until }: { until: string | null }) {
  if (until === null || Date.parse(until) <= Date.now()) {
    return <p>The old secret is no longer valid. Update your receiver with the new one now.</p>;
  }
  return (
    <p>
      The old secret stays valid until <Time value={until} mode="absolute" />. Update your receiver with the
      new one before then.
    </p>
  );
}
