import { NuqsAdapter } from "nuqs/adapters/next/app";
import { page } from "@/app/console-page";
import { ReferenceBrowser } from "@/components/reference/reference-browser";
import { LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { listedSections } from "@/lib/reference/document";
import { getOpenApi } from "@/lib/server/gateway/reads";
import { readDetails } from "./actions.tsx";

export const metadata = { title: "API reference" };

const head = {
  ...metadata,
  description: "Every route with its parameters, body and responses.",
  actions: <LinkButton href="/guides/first-call">First call</LinkButton>,
};

export default page(head, async ({ need }) => {
  const document = await need(getOpenApi());
  const server = document.servers?.[0]?.url ?? "";
  return (
    <NuqsAdapter>
      <div className="mb-4">
        <Facts
          facts={[
            ["Base URL", <code key="base">{server}/v1</code>],
            ["OpenAPI 3.1", <code key="document">{server}/v1/openapi.json</code>],
          ]}
        />
      </div>
      <ReferenceBrowser sections={listedSections(document)} readDetails={readDetails} />
    </NuqsAdapter>
  );
});
