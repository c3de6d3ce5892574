"use client";

import { useEffect, useState } from "react";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Time } from "@/components/ui/time";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { type KnownEndpoint, readKnownEndpoints } from "@/lib/webhooks/known-endpoints";

/** What this browser remembers of the endpoints it created, where the gateway cannot list them. */
export function KnownEndpoints() {
  const [known, setKnown] = useState<KnownEndpoint[]>([]);
  // The browser's storage is not there while the server renders.
  useEffect(() => setKnown(readKnownEndpoints(window.localStorage)), []);
  return (
    <div className="space-y-4">
      {known.length > 0 && (
        <Table label="Endpoints created from this browser">
          <thead>
            <tr>
              <Th>URL</Th>
              <Th>Id</Th>
              <Th>Secret ends in</Th>
              <Th>Created</Th>
            </tr>
          </thead>
          <tbody>
            {known.map((endpoint) => (
              <Tr key={endpoint.id}>
                <Td>
                  <EndpointAddress url={endpoint.url} />
                </Td>
                <Td>
                  <IdChip id={endpoint.id} href={`/webhooks/deliveries?endpoint_id=${endpoint.id}`} />
                </Td>
                <Td className="font-mono">{endpoint.secretHint}</Td>
                <Td>
                  <Time value={endpoint.createdAt} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      <NotOffered what="a list of endpoints" brief={known.length > 0}>
        You can add endpoints and view their deliveries. Endpoints added in this browser are listed here;
        those added elsewhere cannot be shown.
      </NotOffered>
    </div>
  );
}
