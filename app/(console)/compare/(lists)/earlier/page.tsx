import { Columns2 } from "lucide-react";
import { listPage, titleOf } from "@/app/console-page";
import { BatchList } from "@/components/batches/batch-list";
import { NoBatches } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { comparisonList } from "@/lib/lists";

const head = { title: "earlierComparisons" } as const;

export const generateMetadata = titleOf(head);

export default listPage(
  {
    ...head,
    description: "One input on several models, side by side.",
    actions: (
      <Permitted to="operations:run">
        <LinkButton href="/compare" variant="primary" icon={<Columns2 size={16} aria-hidden />}>
          Compare models
        </LinkButton>
      </Permitted>
    ),
    list: comparisonList,
    notOffered: <NoBatches />,
  },
  async ({ query, requestRoute, need }) => {
    const list = await need(requestRoute("GET /batches", { query }));
    return <BatchList kind="comparison" initial={{ query, list }} />;
  },
);
