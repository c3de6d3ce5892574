import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import type { GatewayFailure } from "@/lib/gateway/result";

/** Shown instead of batches that could not be read. */
export function BatchFailure({ error }: { error: GatewayFailure }) {
  if (error.code !== "route_not_found") return <LoadFailure error={error} />;
  return <NotOffered what="batches">Run single inputs in the playground instead.</NotOffered>;
}
