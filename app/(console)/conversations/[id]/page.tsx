import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { inAccount } from "@/lib/paths";
import { conversationHref } from "@/lib/playground-links";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Conversation" };

/** The shared link of a conversation. It opens the playground of the conversation's model. */
export default async function ConversationPage({ params }: Pick<RouteProps<{ id: string }>, "params">) {
  await requireSession();
  const { id } = await params;
  const conversation = await requestRoute("GET /conversations/{id}", { params: { id } });
  if (conversation.ok && conversation.data.gated === null)
    redirect(inAccount(await addressedAccount(), conversationHref(conversation.data)));
  if (!conversation.ok && conversation.error.code === "conversation_not_found") notFound();
  return (
    <>
      <PageHeader title={conversation.ok ? conversation.data.name : "Conversation"} />
      {conversation.ok ? (
        <EmptyState
          drawing="gate"
          title="Attest to open this conversation"
          body={`To read the conversation, first give the attestation that ${conversation.data.model} requires.`}
          action={<LinkButton href="/attestations">Open attestations</LinkButton>}
        />
      ) : conversation.error.code === "route_not_found" ? (
        <NotOffered what="saved conversations">Your conversations stay in this browser.</NotOffered>
      ) : (
        <LoadFailure error={conversation.error} />
      )}
    </>
  );
}
