import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ConversationNotFound() {
  return (
    <MissingPage
      title="Conversation not found"
      heading="No conversation at this address"
      body="The conversation may have been deleted or expired, or belong to another of your accounts."
      action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
    />
  );
}
