import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { modelRow } from "@/lib/operator/model-row";
import { ModelsClient } from "./client.tsx";

const head = { title: "models" } as const;

export const generateMetadata = titleOf(head);

/** The catalog for operators: their own entries and the built-in ones. */
export default page(
  {
    ...head,
    description: "All models in the catalog: yours and the built-in ones.",
    actions: (
      <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/models/new">
        Add model
      </LinkButton>
    ),
  },
  async ({ requestRoute, need }) => {
    const { data } = await need(requestRoute("GET /operator/models"));
    return (
      <NuqsAdapter>
        <ModelsClient models={data.map(modelRow)} />
      </NuqsAdapter>
    );
  },
);
