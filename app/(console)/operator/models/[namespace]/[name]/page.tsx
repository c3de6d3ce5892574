import { NuqsAdapter } from "nuqs/adapters/next/app";
import { page } from "@/app/console-page";
import type { RouteProps } from "@/lib/page-props";
import { words } from "@/lib/server/words";
import { OperatorModelClient } from "./client.tsx";

export async function generateMetadata({ params }: RouteProps<{ namespace: string; name: string }>) {
  const t = await words("operatorModels");
  const { namespace, name } = await params;
  return { title: t("settingsOf", { id: `${namespace}/${name}` }) };
}

export default page<"namespace" | "name", "operatorModels">(
  {
    title: "model",
    parts: ["operatorModels", "catalog", "operator", "inputForm", "jsonFault", "media"],
  },
  async ({ params, baseUrl, requestRoute, need }) => {
    const model = await need(requestRoute("GET /operator/models/{namespace}/{name}", { params }));
    const revisions =
      model.managed_by === "operator"
        ? await requestRoute("GET /operator/models/{namespace}/{name}/revisions", { params })
        : null;
    return (
      <NuqsAdapter>
        <OperatorModelClient
          key={`${model.id} ${model.revision}`}
          model={model}
          revisions={revisions}
          baseUrl={baseUrl}
        />
      </NuqsAdapter>
    );
  },
);
