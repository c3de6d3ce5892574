import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { errorLabel } from "@/lib/webhooks/error-labels";

/** The receiver's response: its status, or without one the error. */
export function AnswerChip({ status, error }: { status: number | null; error: string | null }) {
  const t = useWords("webhooks");
  if (status !== null) {
    const good = status >= 200 && status < 300;
    return (
      <Badge tone={good ? "good" : "bad"}>
        <span className="font-mono">{status}</span>
      </Badge>
    );
  }
  if (error !== null) return <Badge tone="bad">{errorLabel(t, error)}</Badge>;
  return <span className="text-faint">–</span>;
}
