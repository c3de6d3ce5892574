import { listPage, titleOf } from "@/app/console-page";
import { GuideLink } from "@/components/guides/guide-link";
import { Command } from "@/components/ui/command";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { keyVariable } from "@/lib/key-variable";
import { endpointList } from "@/lib/lists";
import { EndpointsClient } from "./client.tsx";

const head = { title: "endpoints" } as const;

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: endpointList }, async ({ query, baseUrl, requestRoute }) => {
  const endpoints = await requestRoute("GET /webhooks/endpoints", { query });
  return (
    <EndpointsClient endpoints={endpoints}>
      <NamedReceivers gatewayUrl={baseUrl} />
      <LocalForwarding gatewayUrl={baseUrl} />
    </EndpointsClient>
  );
});

/** Where the secret of receivers is that requests name. `gatewayUrl` ends with `/v1`. Rendered on the server. */
function NamedReceivers({ gatewayUrl }: { gatewayUrl: string }) {
  const command = `curl -sS ${gatewayUrl}/webhooks/default/secret -H "Authorization: Bearer $${keyVariable}"`;
  return (
    <Section
      title="Receivers named by a request"
      description="A request may name its own receiver in callback_url, or in Replicate’s webhook. These deliveries are signed with one secret of the account, which this command prints."
      className="mt-8"
    >
      <Command text={command} />
      <p className="mt-1 text-meta text-muted">
        The key needs the scope <code>webhooks</code>. Hosts and rotation are in{" "}
        <Link href="/settings" className="underline">
          Settings
        </Link>
        . <GuideLink to="webhooks">How to verify a webhook</GuideLink>
      </p>
    </Section>
  );
}

/** How to receive events without a public address. `gatewayUrl` ends with `/v1`. Rendered on the server. */
function LocalForwarding({ gatewayUrl }: { gatewayUrl: string }) {
  const command = `npm run -s gatehouse -- listen --gateway ${gatewayUrl} --forward-to http://localhost:8080/hook`;
  return (
    <Section
      title="Local development"
      description="Test without an endpoint: run this command in a copy of Gatehouse. It forwards every signed event to your local program and shows each response."
      className="mt-8"
    >
      <Command text={command} />
      <p className="mt-1 text-meta text-muted">
        The command uses the account key in <code>{keyVariable}</code> and signs with{" "}
        <code>WEBHOOK_SECRET</code>, or with a new secret that it prints.
      </p>
    </Section>
  );
}
