"use client";

import { LogIn } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { LinkButton } from "@/components/ui/button";
import { signInPath } from "@/lib/return-path";

/** Nothing is lost: signing in happens in another tab, and this page continues. */
export function SessionEnded() {
  const pathname = usePathname();
  const search = useSearchParams().toString();
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
      <p className="min-w-0 flex-1">
        Your session has expired. Sign in from another tab, then continue here: your text stays on this page.
      </p>
      <LinkButton
        size="sm"
        href={signInPath(search ? `${pathname}?${search}` : pathname, "ended")}
        target="_blank"
        rel="noopener"
        icon={<LogIn size={14} aria-hidden />}
      >
        Sign in again
      </LinkButton>
    </div>
  );
}
