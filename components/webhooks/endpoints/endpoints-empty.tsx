import { GuideLink } from "@/components/guides/guide-link";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";

export function EndpointsEmpty({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      drawing="signal"
      title="No endpoints yet"
      body={
        <>
          Add a public HTTPS URL. The gateway sends it a signed event when a prediction finishes.{" "}
          <GuideLink to="webhooks">How to receive webhooks</GuideLink>
        </>
      }
      action={
        <Permitted to="endpoints:manage">
          <Button variant="primary" onClick={onAdd}>
            Add first endpoint
          </Button>
        </Permitted>
      }
    />
  );
}
