"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { CreateEndpointDialog } from "@/components/webhooks/create-endpoint-dialog";
import { EndpointsEmpty } from "@/components/webhooks/endpoints-empty";
import { EndpointsTable } from "@/components/webhooks/endpoints-table";
import { KnownEndpoints } from "@/components/webhooks/known-endpoints";
import { SecretDialog } from "@/components/webhooks/secret-dialog";
import type { GatewayResult } from "@/lib/gateway/result";
import { keepEndpoint } from "@/lib/webhooks/known-endpoints";
import { addEndpoint } from "../actions";

/** The receivers of this account, and the way to add one. */
export function EndpointsClient({ endpoints }: { endpoints: GatewayResult<List<Endpoint>> }) {
  const router = useRouter();
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const canList = endpoints.ok || endpoints.error.code !== "route_not_found";

  const created = (endpoint: EndpointWithSecret) => {
    setCreating(false);
    setSecret(endpoint.secret);
    if (canList) return;
    keepEndpoint(window.localStorage, {
      id: endpoint.id,
      url: endpoint.url,
      secretHint: endpoint.secret_hint ?? endpoint.secret.slice(-4),
      createdAt: endpoint.created_at ?? new Date().toISOString(),
    });
  };
  const secretStored = () => {
    setSecret(null);
    router.refresh();
  };
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Add endpoint
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Webhook endpoints"
        description="Your HTTPS addresses that are told when a prediction ends."
        actions={add}
      />
      {!canList ? (
        <KnownEndpoints key={String(secret === null)} />
      ) : !endpoints.ok ? (
        <ErrorPanel error={endpoints.error} onRetry={() => router.refresh()} />
      ) : endpoints.data.data.length === 0 ? (
        <EndpointsEmpty onAdd={() => setCreating(true)} />
      ) : (
        <>
          <EndpointsTable endpoints={endpoints.data.data} />
          <Pager
            hasMore={endpoints.data.has_more}
            first={endpoints.data.first_id}
            last={endpoints.data.last_id}
          />
        </>
      )}
      <CreateEndpointDialog
        open={creating}
        onClose={() => setCreating(false)}
        create={addEndpoint}
        onCreated={created}
      />
      <SecretDialog secret={secret} name="signing secret" envName="WEBHOOK_SECRET" onDone={secretStored} />
    </>
  );
}
