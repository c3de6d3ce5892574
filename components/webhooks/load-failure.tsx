"use client";

import { useRouter } from "next/navigation";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

/** A page that could not be read, with a way to read it again. */
export function LoadFailure({ error }: { error: GatewayFailure }) {
  const router = useRouter();
  return <ErrorPanel error={error} onRetry={() => router.refresh()} />;
}
