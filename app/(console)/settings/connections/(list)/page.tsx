import { page, titleOf } from "@/app/console-page";
import { ConnectionsTable } from "@/components/connections/connections-table";
import { GuideLink } from "@/components/guides/guide-link";
import { Command } from "@/components/ui/command";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { mcpUrl } from "@/lib/guides/snippets/snippets";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "connections" } as const;

export const generateMetadata = titleOf(head);

export default page(
  { ...head, description: "Agents and other clients that act for a member." },
  async ({ search, baseUrl, requestRoute }) => {
    const query = pageQueryOf(search);
    const connections = await requestRoute("GET /connections", { query });
    return (
      <ListBody
        answer={connections}
        total={{ route: "GET /connections", noun: "connection" }}
        notOffered={<NotOffered what="connections">Give your agent an account key instead.</NotOffered>}
        empty={
          <EmptyState
            drawing="signal"
            title="No connections yet"
            body={
              <>
                Give your agent this address. It then opens this console, where you grant access.{" "}
                <GuideLink to="agents">How to connect an agent</GuideLink>
              </>
            }
            action={<Command text={mcpUrl(baseUrl)} label="Copy address" />}
          />
        }
      >
        {(rows) => <ConnectionsTable connections={rows} />}
      </ListBody>
    );
  },
);
