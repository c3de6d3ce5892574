import { NuqsAdapter } from "nuqs/adapters/next/app";
import { page, titleOf } from "@/app/console-page";
import { ReferenceBrowser } from "@/components/reference/reference-browser";
import { LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { WithBreaks } from "@/components/ui/with-breaks";
import { listedSections } from "@/lib/reference/document";
import { getOpenApi } from "@/lib/server/gateway/reads";
import { readDetails } from "./actions.tsx";

const head = {
  title: "apiReference",
  description: "Every route with its parameters, body and responses.",
  actions: <LinkButton href="/guides/first-call">First call</LinkButton>,
} as const;

export const generateMetadata = titleOf(head);

export default page(head, async ({ need }) => {
  const document = await need(getOpenApi());
  const server = document.servers?.[0]?.url ?? "";
  return (
    <NuqsAdapter>
      <div className="mb-4">
        <Facts
          facts={[
            ["Base URL", <Address key="base" url={`${server}/v1`} />],
            ["OpenAPI 3.1", <Address key="document" url={`${server}/v1/openapi.json`} />],
          ]}
        />
      </div>
      <ReferenceBrowser sections={listedSections(document)} readDetails={readDetails} />
    </NuqsAdapter>
  );
});

function Address({ url }: { url: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="min-w-0">
        <WithBreaks text={url} before="/" />
      </code>
      <CopyButton value={url} label={`Copy ${url}`} />
    </span>
  );
}
