import { headOf, listPage, titleOf } from "@/app/console-page";
import { LibraryView } from "@/components/library/library-view";
import { LinkButton } from "@/components/ui/button";
import { libraryList } from "@/lib/lists";
import { getAccount, getModels } from "@/lib/server/gateway/reads";

const head = headOf({
  title: "library",
  parts: ["library", "media"],
  description: "description",
  actions: (t) => <LinkButton href="/library/check-a-file">{t("checkFile")}</LinkButton>,
});

export const generateMetadata = titleOf(head);

export default listPage(
  {
    ...head,
    list: libraryList,
  },
  async ({ t, query, requestRoute, need }) => {
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
            {t.rich("cannotKeep", {}, { code: (content) => <code key="setting">{content}</code> })}
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
