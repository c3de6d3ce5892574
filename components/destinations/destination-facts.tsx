import type { Destination } from "#contract/copies.ts";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { FactList } from "@/components/webhooks/deliveries/fact-list";
import { automaticWords, bucketName } from "./destination-words.ts";

export function DestinationFacts({ destination }: { destination: Destination }) {
  const { models } = destination;
  return (
    <div className="mb-8">
      <FactList
        rows={[
          [
            "Bucket",
            <span key="bucket" className="font-mono">
              {bucketName(destination)}
            </span>,
          ],
          [
            "Server",
            <span key="server" className="font-mono">
              {destination.endpoint_url}
            </span>,
          ],
          ["Region", destination.region],
          [
            "Access key",
            <span key="keys">
              <code>{destination.access_key_id}</code>; secret ends in <code>{destination.secret_hint}</code>
            </span>,
          ],
          [
            "Automatic",
            models.length === 0 ? (
              automaticWords(destination)
            ) : (
              <span key="models" className="inline-flex flex-wrap gap-1">
                {models.map((model) => (
                  <Badge key={model}>{model}</Badge>
                ))}
              </span>
            ),
          ],
          ["Last copied", <Time key="copied" value={destination.last_copied_at} />],
          ["Id", <IdChip key="id" id={destination.id} whole />],
          ["Added", <Time key="added" value={destination.created_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
