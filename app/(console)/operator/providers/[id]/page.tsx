import { cache } from "react";
import { page } from "@/app/console-page";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";
import { ProviderClient } from "./client.tsx";

/** Cached, so that the title and the page share one request. */
const readProvider = cache((id: string) =>
  requestRoute("GET /operator/providers/{id}", { params: { id: decodeURIComponent(id) } }),
);

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const t = await words("providers");
  const provider = await readProvider((await params).id);
  return { title: provider.ok ? t("providerNamed", { name: provider.data.name }) : t("provider") };
}

export default page<"id", "providers">(
  { title: "provider", parts: ["providers", "operator", "sentences"] },
  async ({ params: { id }, word, need }) => {
    const provider = await need(readProvider(id));
    return <ProviderClient key={provider.id} provider={provider} testNow={word("test") === "now"} />;
  },
);
