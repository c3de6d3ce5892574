import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { modelRow } from "@/lib/operator/model-row";
import { ModelsClient } from "./client.tsx";

const head = headOf({
  title: "models",
  parts: ["operatorModels", "operator"],
  description: "aboutModels",
  actions: (t) => (
    <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/models/new">
      {t("addModel")}
    </LinkButton>
  ),
});

export const generateMetadata = titleOf(head);

/** The catalog for operators: their own entries and the built-in ones. */
export default page(head, async ({ t, requestRoute, need }) => {
  const { data } = await need(requestRoute("GET /operator/models"));
  return (
    <NuqsAdapter>
      <ModelsClient models={data.map((model) => modelRow(t, model))} />
    </NuqsAdapter>
  );
});
