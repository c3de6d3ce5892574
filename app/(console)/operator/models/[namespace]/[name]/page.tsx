import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { OperatorModelClient } from "./client.tsx";

interface Props extends RouteProps<{ namespace: string; name: string }> {}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { namespace, name } = await params;
  return { title: `Settings of ${namespace}/${name}` };
}

export default async function OperatorModelPage({ params }: Props) {
  const { namespace, name } = await params;
  const id = `${namespace}/${name}`;
  const model = await requestRoute("GET /operator/models/{namespace}/{name}", {
    params: { namespace, name },
  });
  if (!model.ok && model.error.status === 404) notFound();
  if (!model.ok)
    return (
      <>
        <PageHeader title={id} />
        <LoadFailure error={model.error} />
      </>
    );
  const revisions =
    model.data.managed_by === "operator"
      ? await requestRoute("GET /operator/models/{namespace}/{name}/revisions", {
          params: { namespace, name },
        })
      : null;
  return (
    <NuqsAdapter>
      <OperatorModelClient
        key={`${id} ${model.data.revision}`}
        model={model.data}
        revisions={revisions}
        baseUrl={`${env.mediaOrigin}/v1`}
      />
    </NuqsAdapter>
  );
}
