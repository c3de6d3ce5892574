import type { ReactNode } from "react";
import { Link } from "@/components/ui/page/link";
import { guideHref } from "@/lib/guides/guide-href";
import type { GuideSlug } from "@/lib/guides/titles";

interface GuideLinkProps {
  to: GuideSlug;
  /** Where leaving the page would lose something. */
  newTab?: boolean;
  children: ReactNode;
}

/** From where a reader needs it to the guide that explains it. */
export function GuideLink({ to, newTab, children }: GuideLinkProps) {
  return (
    <Link
      href={guideHref(to)}
      {...(newTab && { target: "_blank", rel: "noopener" })}
      className="text-accent underline underline-offset-2"
    >
      {children}
    </Link>
  );
}
