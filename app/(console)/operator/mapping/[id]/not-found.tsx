import { MissingPage } from "@/components/shell/missing";
import { LinkButton } from "@/components/ui/button";

export default function RouteNotFound() {
  return (
    <MissingPage
      title="Route not found"
      heading="No route with this id"
      body="The route may have been removed, or the providers file has changed."
      drawing="signal"
      action={<LinkButton href="/operator/mapping">All routes</LinkButton>}
    />
  );
}
