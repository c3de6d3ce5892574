import { useWords } from "#words";
import { headOf, listPage, titleOf } from "@/app/console-page";
import { GuideLink } from "@/components/guides/guide-link";
import { Command } from "@/components/ui/command";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { keyVariable } from "@/lib/key-variable";
import { endpointList } from "@/lib/lists";
import { EndpointsClient } from "./client.tsx";

const head = headOf({ title: "endpoints", parts: ["webhooks", "secrets", "states"] });

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

const code = (content: string[]) => <code key={content.join("")}>{content}</code>;

/** Where the secret of receivers is that requests name. `gatewayUrl` ends with `/v1`. Rendered on the server. */
function NamedReceivers({ gatewayUrl }: { gatewayUrl: string }) {
  const t = useWords("webhooks");
  const command = `curl -sS ${gatewayUrl}/webhooks/default/secret -H "Authorization: Bearer $${keyVariable}"`;
  return (
    <Section title={t("receiversNamedByARequest")} description={t("aRequestMayNameIts")} className="mt-8">
      <Command text={command} />
      <p className="mt-1 text-meta text-muted">
        {t.rich(
          "theKeyNeedsTheScope",
          { scope: "webhooks" },
          {
            code,
            link: (content) => (
              <Link key="settings" href="/settings#account" className="underline">
                {content}
              </Link>
            ),
          },
        )}{" "}
        <GuideLink to="webhooks">{t("howToVerifyAWebhook")}</GuideLink>
      </p>
    </Section>
  );
}

/** How to receive events without a public address. `gatewayUrl` ends with `/v1`. Rendered on the server. */
function LocalForwarding({ gatewayUrl }: { gatewayUrl: string }) {
  const t = useWords("webhooks");
  const command = `npm run -s gatehouse -- listen --gateway ${gatewayUrl} --forward-to http://localhost:8080/hook`;
  return (
    <Section title={t("localDevelopment")} description={t("testWithoutAnEndpointRun")} className="mt-8">
      <Command text={command} />
      <p className="mt-1 text-meta text-muted">
        {t.rich("theCommandUses", { key: keyVariable, secret: "WEBHOOK_SECRET" }, { code })}
      </p>
    </Section>
  );
}
