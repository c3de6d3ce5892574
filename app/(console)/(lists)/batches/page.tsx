import { Plus } from "lucide-react";
import { listPage, titleOf } from "@/app/console-page";
import { BatchList } from "@/components/batches/batch-list";
import { NoBatches } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { batchList } from "@/lib/lists";

const head = { title: "batches" } as const;

export const generateMetadata = titleOf(head);

export default listPage(
  {
    ...head,
    also: ["media"],
    description: "One operation over many inputs, run in the background.",
    actions: (
      <Permitted to="operations:run">
        <LinkButton href="/batches/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
          New batch
        </LinkButton>
      </Permitted>
    ),
    list: batchList,
    notOffered: <NoBatches />,
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
