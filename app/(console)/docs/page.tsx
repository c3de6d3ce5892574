import type { Metadata } from "next";
import { ReferenceOperation } from "@/components/reference/reference-operation";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { referenceOf } from "@/lib/reference/document";
import { getOpenApi } from "@/lib/server/gateway/reference";

export const metadata: Metadata = { title: "API reference" };

const description = "Every route of the gateway, with its parameters, body and responses.";

export default async function ReferencePage() {
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
    <>
      <PageHeader
        title="API reference"
        description={
          <>
            {description} The base URL is <code className="wrap-anywhere">{server}/v1</code>; the OpenAPI 3.1
            document is <code className="wrap-anywhere">{server}/v1/openapi.json</code> (OpenAPI 3.1).
          </>
        }
      />
      {referenceOf(document.data).map(({ tag, operations }) => (
        <Section key={tag} title={tag}>
          <div className="grid gap-2">
            {operations.map((operation) => (
              <ReferenceOperation key={operation.id} operation={operation} />
            ))}
          </div>
        </Section>
      ))}
    </>
  );
}
