import type { AccountDeletionPreview } from "#contract/account-deletion.ts";
import { Skeleton } from "@/components/ui/skeleton";
import { formatBytes, formatCount, formatNumber } from "@/lib/format";

/** What goes with an account, counted. */
export function AccountContentsList({ preview }: { preview: AccountDeletionPreview | null }) {
  if (!preview) return <Skeleton className="h-36" />;
  const { contents, counted_to: countedTo } = preview;
  const count = (value: number, singular: string, plural = `${singular}s`) =>
    value >= countedTo ? `${formatNumber(value)} or more ${plural}` : formatCount(value, singular, plural);
  const lines = [
    `${count(contents.members, "member")}, of whom ${formatNumber(contents.people)} in no other account: they can no longer sign in`,
    `${count(contents.invitations, "invitation")} and ${count(contents.attestations, "attestation")}`,
    `${count(contents.presets, "preset")}, and ${count(contents.batches, "batch", "batches")} with their rows`,
    `${count(contents.keys, "key")} and ${count(contents.endpoints, "webhook endpoint")}, which stop at once`,
    `${count(contents.predictions, "prediction")} and ${count(contents.uploads, "upload")}, with ${formatBytes(contents.stored_bytes)} of files`,
    `${count(contents.deliveries, "webhook delivery", "webhook deliveries")}, with their attempts`,
    `${count(contents.requests, "logged request")}, ${count(contents.audit_logs, "audit row")}, and all usage`,
  ];
  return (
    <ul className="list-disc space-y-1 pl-5 text-base">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
