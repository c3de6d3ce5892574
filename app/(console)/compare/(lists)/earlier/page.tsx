import { Columns2 } from "lucide-react";
import { headOf, listPage, titleOf } from "@/app/console-page";
import { BatchList } from "@/components/batches/batch-list";
import { NoBatches } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { comparisonList } from "@/lib/lists";

const head = headOf({
  title: "earlierComparisons",
  parts: ["compare", "batches", "media", "states"],
  description: "earlierDescription",
  actions: (t) => (
    <Permitted to="operations:run">
      <LinkButton href="/compare" variant="primary" icon={<Columns2 size={16} aria-hidden />}>
        {t("compareModels")}
      </LinkButton>
    </Permitted>
  ),
  notOffered: <NoBatches />,
});

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: comparisonList }, async ({ query, requestRoute, need }) => {
  const list = await need(requestRoute("GET /batches", { query }));
  return <BatchList kind="comparison" initial={{ query, list }} />;
});
