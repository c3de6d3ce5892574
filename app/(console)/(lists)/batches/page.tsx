import { Plus } from "lucide-react";
import { headOf, listPage, titleOf } from "@/app/console-page";
import { BatchList } from "@/components/batches/batch-list";
import { NoBatches } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { batchList } from "@/lib/lists";

const head = headOf({
  title: "batches",
  parts: ["batches", "states", "media"],
  description: "batchesDescription",
  actions: (t) => (
    <Permitted to="operations:run">
      <LinkButton href="/batches/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
        {t("newBatch")}
      </LinkButton>
    </Permitted>
  ),
  notOffered: <NoBatches />,
});

export const generateMetadata = titleOf(head);

export default listPage(
  {
    ...head,

    list: batchList,
  },
  async ({ query, search, requestRoute, need, redirectTo }) => {
    // Until release 0.3.0, one list showed batches and comparisons, so bookmarks may still contain `kind`.
    const { kind, ...others } = search;
    if (kind !== undefined) {
      const path = kind === "comparison" ? "/compare/earlier" : "/batches";
      const rest = new URLSearchParams(others as Record<string, string>);
      return redirectTo(rest.size > 0 ? `${path}?${rest}` : path);
    }
    const list = await need(requestRoute("GET /batches", { query }));
    return <BatchList kind="table" initial={{ query, list }} />;
  },
);
