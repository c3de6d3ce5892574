import { page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { conversationHref } from "@/lib/playground-links";
import { words } from "@/lib/server/words";

const head = { title: "conversation" } as const;

export const generateMetadata = titleOf(head);

/** The shared link of a conversation. It opens the playground of the conversation's model. */
export default page<"id">(
  {
    ...head,
    notOffered: <NotOffered what="saved conversations">Your conversations stay in this browser.</NotOffered>,
  },
  async ({ params: { id }, requestRoute, need, redirectTo }) => {
    const t = await words("conversations");
    const conversation = await need(requestRoute("GET /conversations/{id}", { params: { id } }));
    if (conversation.gated === null) return redirectTo(conversationHref(conversation));
    return (
      <>
        <PageHeader title={conversation.name} />
        <EmptyState
          drawing="gate"
          title={t("attestToOpenThisConversation")}
          body={t("toReadTheConversation", { model: conversation.model })}
          action={<LinkButton href="/attestations">{t("openAttestations")}</LinkButton>}
        />
      </>
    );
  },
);
