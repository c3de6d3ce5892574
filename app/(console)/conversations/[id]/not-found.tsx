import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function ConversationNotFound() {
  return (
    <MissingPage
      title="Conversation not found"
      heading="No conversation at this address"
      body="It may have been deleted or removed after its time, or belong to another account of yours."
      action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
    />
  );
}
