"use client";

import "./globals.css";
import { Crash } from "@/components/shell/crash";

/** The last resort: even the frame failed, so this page brings its own. */
export default function GlobalError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <html lang="en">
      <body>
        <title>Gatehouse</title>
        <main className="px-4">
          <Crash error={error} retry={reset} />
        </main>
      </body>
    </html>
  );
}
