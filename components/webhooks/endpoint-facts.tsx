import type { Endpoint } from "#contract/webhook.ts";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { FactList } from "./fact-list.tsx";

export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const oldSecretEnd = endpoint.previous_secret_expires_at;
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
          [
            "Signing secret",
            <span key="secret">
              ends in <code>{endpoint.secret_hint}</code>
              {oldSecretEnd && (
                <>
                  ; the one before it signs until <Time value={oldSecretEnd} mode="absolute" />
                </>
              )}
            </span>,
          ],
          ["Id", <IdChip key="id" id={endpoint.id} whole />],
          ["Added", <Time key="added" value={endpoint.created_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
