import type { RequestRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { IdChip } from "@/components/ui/id-chip";
import { Link } from "@/components/ui/page/link";

interface RequestCallerProps {
  request: Pick<RequestRow, "key_id" | "user_id">;
  /** The names of keys and members, by id. */
  names: Record<string, string>;
}

/** Who sent a request: a member, a key, or a member with their personal key. */
export function RequestCaller({ request, names }: RequestCallerProps) {
  const t = useWords("requests");
  const { key_id: keyId, user_id: userId } = request;
  // Rows of release 0.3 do not name the member.
  if (keyId === null) return userId === null ? t("aPerson") : (names[userId] ?? <IdChip id={userId} />);
  return (
    <>
      {names[keyId] ?? <IdChip id={keyId} />}
      {userId !== null && names[userId] && (
        <span className="block text-meta text-muted">{t("ofUserid", { userId: names[userId] })}</span>
      )}
    </>
  );
}

/** The model that a failed request named. The link finds all failed requests that did. */
export function WantedModel({ name }: { name: string }) {
  const t = useWords("requests");
  return (
    <Link
      href={`/requests?model=${encodeURIComponent(name)}`}
      title={t("theRequestNamedThisModel")}
      className="text-muted"
    >
      {name}
    </Link>
  );
}
