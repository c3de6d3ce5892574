import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { modelRow } from "@/lib/operator/model-row";
import { requestRoute } from "@/lib/server/gateway/request";
import { ModelsClient } from "./client.tsx";

export const metadata: Metadata = { title: "Models" };

/** The catalog for operators: their own entries and the built-in ones. */
export default async function OperatorModelsPage() {
  const models = await requestRoute("GET /operator/models");
  return (
    <>
      <PageHeader
        title="Models"
        description="All models in the catalog: yours and the built-in ones."
        actions={
          <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/models/new">
            Add model
          </LinkButton>
        }
      />
      {models.ok ? (
        <NuqsAdapter>
          <ModelsClient models={models.data.data.map(modelRow)} />
        </NuqsAdapter>
      ) : (
        <LoadFailure error={models.error} />
      )}
    </>
  );
}
