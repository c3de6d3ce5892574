import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export function EndpointsEmpty({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      drawing="signal"
      title="No endpoint yet"
      body="Add a public HTTPS address, and the gateway posts a signed event to it whenever a prediction succeeds, fails or is canceled."
      action={
        <Button variant="primary" onClick={onAdd}>
          Add the first endpoint
        </Button>
      }
    />
  );
}
