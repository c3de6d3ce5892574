import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function RequestNotFound() {
  return (
    <MissingPage
      title="Request not found"
      heading="No request with this id"
      body="Requests are listed a moment after they finish, for as long as the history is kept. Check the id and the account."
      action={<LinkButton href="/requests">Open requests</LinkButton>}
    />
  );
}
