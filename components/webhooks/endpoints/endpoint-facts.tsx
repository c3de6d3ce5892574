import type { Endpoint } from "#contract/webhook.ts";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { FactList } from "@/components/webhooks/deliveries/fact-list";
import { formatCount } from "@/lib/format";

function FilterNames({ names }: { names: string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
    </span>
  );
}

export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div className="mb-8">
      <FactList
        rows={[
          [
            "URL",
            <span key="url" className="inline-flex items-center gap-1 font-mono">
              {endpoint.url} <CopyButton value={endpoint.url} label="Copy URL" />
            </span>,
          ],
          [
            "Events",
            <span key="events" className="inline-flex flex-wrap gap-1">
              {endpoint.events.map((event) => (
                <Badge key={event}>{event}</Badge>
              ))}
            </span>,
          ],
          (endpoint.headers ?? []).length === 0
            ? null
            : [
                "Headers",
                <span key="headers" className="inline-flex flex-wrap items-center gap-1">
                  {endpoint.headers.map(({ name }) => (
                    <Badge key={name}>{name}</Badge>
                  ))}
                  <span className="text-muted">values hidden</span>
                </span>,
              ],
          endpoint.rate_per_second
            ? [
                "Rate",
                <span key="rate">
                  at most {endpoint.rate_per_second} per second
                  {endpoint.status === "enabled" && Boolean(endpoint.waiting_deliveries) && (
                    <>
                      ; {formatCount(endpoint.waiting_deliveries ?? 0, "delivery waits", "deliveries wait")}{" "}
                      for it
                    </>
                  )}
                </span>,
              ]
            : null,
          endpoint.models ? ["Only models", <FilterNames key="models" names={endpoint.models} />] : null,
          endpoint.keys ? ["Only keys", <FilterNames key="keys" names={endpoint.keys} />] : null,
          [
            "Signing secret",
            <span key="secret">
              ends in <code>{endpoint.secret_hint}</code>
              {endpoint.previous_secrets.map((secret) => (
                <span key={secret.hint}>
                  ; <code>{secret.hint}</code> also valid until{" "}
                  <Time value={secret.expires_at} mode="absolute" />
                </span>
              ))}
            </span>,
          ],
          ["Id", <IdChip key="id" id={endpoint.id} whole />],
          ["Added", <Time key="added" value={endpoint.created_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
