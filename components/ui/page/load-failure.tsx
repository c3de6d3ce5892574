"use client";

import type { GatewayFailure } from "@/lib/gateway/result";
import { ErrorPanel } from "./error-panel.tsx";
import { usePageRouter } from "./use-place.ts";

/** A page that could not be read, with a retry button. */
export function LoadFailure({ error }: { error: GatewayFailure }) {
  const router = usePageRouter();
  return <ErrorPanel error={error} onRetry={() => router.refresh()} />;
}
