"use client";

import { Crash } from "@/components/shell/crash";

export default function ConsoleError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return <Crash error={error} retry={reset} />;
}
