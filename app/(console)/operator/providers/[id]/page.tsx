import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { ProviderClient } from "./client.tsx";

interface Props extends RouteProps<{ id: string }> {}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  const provider = await requestRoute("GET /operator/providers/{id}", {
    params: { id: decodeURIComponent(id) },
  });
  return { title: provider.ok ? `Provider ${provider.data.name}` : "Provider" };
}

export default async function ProviderPage({ params, searchParams }: Props) {
  const [{ id }, { test }] = await Promise.all([params, searchParams]);
  const provider = await requestRoute("GET /operator/providers/{id}", {
    params: { id: decodeURIComponent(id) },
  });
  if (!provider.ok && provider.error.status === 404) notFound();
  if (!provider.ok)
    return (
      <>
        <PageHeader title="Provider" />
        <LoadFailure error={provider.error} />
      </>
    );
  return <ProviderClient key={provider.data.id} provider={provider.data} testNow={test === "now"} />;
}
