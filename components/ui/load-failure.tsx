"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import type { GatewayFailure } from "@/lib/gateway/result";

/** Advice for every code: only needed once something failed. */
const ErrorPanel = dynamic(() => import("./error-panel.tsx").then((module) => module.ErrorPanel), {
  loading: () => null,
});

/** A page that could not be read, with a way to read it again. */
export function LoadFailure({ error }: { error: GatewayFailure }) {
  const router = useRouter();
  return <ErrorPanel error={error} onRetry={() => router.refresh()} />;
}
