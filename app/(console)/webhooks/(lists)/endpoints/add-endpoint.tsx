"use client";

import { useState } from "react";
import type { EndpointWithSecret } from "#contract/webhook.ts";
import { useWords } from "#words";
import { EndpointDialog } from "@/components/webhooks/endpoints/endpoint-dialog";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { settle } from "@/lib/browser/action-answer";
import { addEndpoint } from "@/lib/gateway/secret-actions";
import { creationOf } from "@/lib/webhooks/endpoint-values";
import { keepEndpoint } from "@/lib/webhooks/known-endpoints";

interface AddEndpointProps {
  /** False: the gateway cannot list endpoints, so this browser remembers the new one. */
  canList: boolean;
  onCancel: () => void;
  /** Called after the secret was shown. */
  onAdded: () => void;
}

/**
 * The form of a new endpoint, then its secret. Both are one chunk, so that the secret is shown without delay.
 */
export function AddEndpoint({ canList, onCancel, onAdded }: AddEndpointProps) {
  const t = useWords("webhooks");
  const [added, setAdded] = useState<EndpointWithSecret | null>(null);

  const created = (endpoint: EndpointWithSecret) => {
    setAdded(endpoint);
    if (canList) return;
    keepEndpoint(window.localStorage, {
      id: endpoint.id,
      url: endpoint.url,
      secretHint: endpoint.secret_hint ?? endpoint.secret.slice(-4),
      createdAt: endpoint.created_at ?? new Date().toISOString(),
    });
  };

  return added === null ? (
    <EndpointDialog
      title={t("addEndpoint")}
      description={t("theSigningSecretIsShown")}
      submitLabel={t("addEndpoint")}
      save={(values) => settle(addEndpoint(creationOf(values)), created)}
      onClose={onCancel}
    />
  ) : (
    <SecretDialog
      secret={added.secret}
      name={t("signingSecretName")}
      envName="WEBHOOK_SECRET"
      note={added.warning?.message}
      onDone={onAdded}
    />
  );
}
