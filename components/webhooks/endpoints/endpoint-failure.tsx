import type { Attempt, EndpointHealth } from "#contract/webhook.ts";
import { useFormats, useWords } from "#words";
import { Link } from "@/components/ui/page/link";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { errorRemedy } from "@/lib/webhooks/error-remedy";
import { betweenSentences } from "@/messages/marks";

interface EndpointFailureProps {
  deliveryId: string;
  /** The newest attempt, which failed. */
  attempt: Attempt;
  health: Pick<EndpointHealth, "consecutive_failures" | "last_success_at"> | undefined;
}

const maxSaidLength = 300;

/** What the receiver answers to everything, since when, and how to fix it. */
export function EndpointFailure({ deliveryId, attempt, health }: EndpointFailureProps) {
  const t = useWords("webhooks");
  const format = useFormats();
  const { response_status: status, response_body: body, error_code: code } = attempt;
  const said = body?.trim().slice(0, maxSaidLength);
  const since = health?.last_success_at ?? null;
  return (
    <div className="min-w-0 flex-1 wrap-anywhere">
      <p className="line-clamp-3">
        <span className="font-semibold">
          {status === null
            ? errorLabel(t, code ?? "")
            : t("receiverAnswers", { status: String(status), isSaid: said ? "yes" : "no" })}
        </span>{" "}
        {said && <code className="text-table">{said}</code>}
      </p>
      <p className="mt-1 text-table">
        {t.rich(
          "failsSince",
          {
            failures: health?.consecutive_failures ?? 1,
            isKnown: since === null ? "no" : "yes",
            remedy: errorRemedy(t, code ?? "") ?? "",
          },
          {
            time: () => (
              <time key="time" dateTime={since ?? ""}>
                {since && format.time(since)}
              </time>
            ),
          },
        )}
        {betweenSentences(t.language)}
        <Link
          href={`/webhooks/deliveries/${deliveryId}`}
          className="whitespace-nowrap text-accent underline underline-offset-2"
        >
          {t("openDelivery")}
        </Link>
      </p>
    </div>
  );
}
