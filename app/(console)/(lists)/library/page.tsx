import { listPage } from "@/app/console-page";
import { LibraryView } from "@/components/library/library-view";
import { LinkButton } from "@/components/ui/button";
import { libraryList } from "@/lib/lists";
import { getAccount, getModels } from "@/lib/server/gateway/reads";

export const metadata = { title: "Library" };

export default listPage(
  {
    ...metadata,
    description: "Outputs that your team keeps, with their inputs.",
    actions: <LinkButton href="/library/check-a-file">Check a file</LinkButton>,
    list: libraryList,
  },
  async ({ query, requestRoute, need }) => {
    const [list, labels, models, account] = await Promise.all([
      need(requestRoute("GET /outputs", { query })),
      requestRoute("GET /outputs/labels"),
      getModels(),
      getAccount(),
    ]);
    return (
      <>
        {account.ok && !account.data.keeps_outputs && (
          <p role="note" className="mb-4 rounded-panel border border-warn bg-warn-soft p-3">
            Outputs cannot be kept here: the setting of this installation is <code>KEEP_OUTPUTS=off</code>.
            Outputs that were kept before stay in the library until somebody removes them.
          </p>
        )}
        <LibraryView
          initial={{ query, list }}
          labels={labels}
          modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
        />
      </>
    );
  },
);
