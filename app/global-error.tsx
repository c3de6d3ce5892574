"use client";

import { useEffect } from "react";
import "./globals.css";
import { Button } from "@/components/ui/button";

/**
 * The last resort, outside the console or when its frame failed. The page therefore has its own frame. Every
 * page loads this code, so it does less than `Crash`.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => console.error(error), [error]);
  return (
    <html lang="en">
      <body>
        <title>Gatehouse</title>
        <main role="alert" className="mx-auto flex max-w-[520px] flex-col items-start gap-3 px-4 py-16">
          <h1 className="text-page font-semibold">This page crashed</h1>
          <p className="text-muted">Reload the page to continue. Everything that you have sent is safe.</p>
          {error.digest && <code className="text-meta text-muted">{error.digest}</code>}
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </main>
      </body>
    </html>
  );
}
