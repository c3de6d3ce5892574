import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { ReferenceBrowser } from "@/components/reference/reference-browser";
import { LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { WithBreaks } from "@/components/ui/with-breaks";
import { listedSections } from "@/lib/reference/document";
import { getOpenApi } from "@/lib/server/gateway/reads";
import { readDetails } from "./actions.tsx";

const head = headOf({
  title: "apiReference",
  parts: ["reference"],
  description: "description",
  actions: (t) => <LinkButton href="/guides/first-call">{t("firstCall")}</LinkButton>,
});

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, need }) => {
  const document = await need(getOpenApi());
  const server = document.servers?.[0]?.url ?? "";
  return (
    <NuqsAdapter>
      <div className="mb-4">
        <Facts
          facts={[
            [t("baseUrl"), <Address key="base" url={`${server}/v1`} />],
            ["OpenAPI 3.1", <Address key="document" url={`${server}/v1/openapi.json`} />],
          ]}
        />
      </div>
      <ReferenceBrowser sections={listedSections(document)} readDetails={readDetails} />
    </NuqsAdapter>
  );
});

function Address({ url }: { url: string }) {
  const t = useWords("reference");
  return (
    <span className="inline-flex items-center gap-1">
      <code className="min-w-0">
        <WithBreaks text={url} before="/" />
      </code>
      <CopyButton value={url} label={t("copyUrl", { url })} />
    </span>
  );
}
