"use client";

import { useRouter } from "next/navigation";
import type { GatewayFailure } from "@/lib/gateway/result";
import { ErrorPanel } from "./error-panel.tsx";

/** A page that could not be read, with a way to read it again. */
export function LoadFailure({ error }: { error: GatewayFailure }) {
  const router = useRouter();
  return <ErrorPanel error={error} onRetry={() => router.refresh()} />;
}
