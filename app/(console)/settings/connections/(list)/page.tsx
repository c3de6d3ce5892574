import { headOf, page, titleOf } from "@/app/console-page";
import { ConnectionsTable } from "@/components/connections/connections-table";
import { GuideLink } from "@/components/guides/guide-link";
import { Command } from "@/components/ui/command";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { mcpUrl } from "@/lib/guides/snippets/snippets";
import { pageQueryOf } from "@/lib/page-props";

const head = headOf({ title: "connections", parts: ["connections", "keys"], description: "description" });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, search, baseUrl, requestRoute }) => {
  const query = pageQueryOf(search);
  const connections = await requestRoute("GET /connections", { query });
  return (
    <ListBody
      answer={connections}
      total={{ route: "GET /connections", noun: "connection" }}
      notOffered={<NotOffered what={t("connectionsNoun")}>{t("giveYourAgentAnAccount")}</NotOffered>}
      empty={
        <EmptyState
          drawing="signal"
          title={t("noConnectionsYet")}
          body={
            <>
              {t("giveThisAddress")} <GuideLink to="agents">{t("howToConnect")}</GuideLink>
            </>
          }
          action={<Command text={mcpUrl(baseUrl)} label={t("copyAddress")} />}
        />
      }
    >
      {(rows) => <ConnectionsTable connections={rows} />}
    </ListBody>
  );
});
