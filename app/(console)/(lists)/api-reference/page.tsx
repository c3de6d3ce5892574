import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { ReferenceBrowser } from "@/components/reference/reference-browser";
import { LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { listedSections } from "@/lib/reference/document";
import { getOpenApi } from "@/lib/server/gateway/reads";
import { requireSession } from "@/lib/server/session";
import { readDetails } from "./actions.tsx";

export const metadata: Metadata = { title: "API reference" };

const description = "Every route with its parameters, body and responses.";

export default async function ReferencePage() {
  await requireSession();
  const document = await getOpenApi();
  if (!document.ok)
    return (
      <>
        <PageHeader title="API reference" description={description} />
        <LoadFailure error={document.error} />
      </>
    );
  const server = document.data.servers?.[0]?.url ?? "";
  return (
    <NuqsAdapter>
      <PageHeader
        title="API reference"
        description={description}
        actions={<LinkButton href="/guides/first-call">First call</LinkButton>}
      />
      <div className="mb-4">
        <Facts
          facts={[
            ["Base URL", <code key="base">{server}/v1</code>],
            ["OpenAPI 3.1", <code key="document">{server}/v1/openapi.json</code>],
          ]}
        />
      </div>
      <ReferenceBrowser sections={listedSections(document.data)} readDetails={readDetails} />
    </NuqsAdapter>
  );
}
