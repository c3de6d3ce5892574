"use client";

import { Crash } from "@/components/shell/crash";

export default function RootError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main className="px-4">
      <Crash error={error} retry={reset} />
    </main>
  );
}
