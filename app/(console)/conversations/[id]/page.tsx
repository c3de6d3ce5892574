import { headOf, page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { conversationHref } from "@/lib/playground-links";

const head = headOf({
  title: "conversation",
  parts: ["conversations"],
  notOffered: (t) => (
    <NotOffered what={t("savedConversations")}>{t("yourConversationsStayInThis")}</NotOffered>
  ),
});

export const generateMetadata = titleOf(head);

/** The shared link of a conversation. It opens the playground of the conversation's model. */
export default page<"id", "conversations">(
  head,
  async ({ t, params: { id }, requestRoute, need, redirectTo }) => {
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
