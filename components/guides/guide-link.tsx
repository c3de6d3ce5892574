import type { ReactNode } from "react";
import { Link } from "@/components/ui/page/link";
import type { GuideSlug } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";

interface GuideLinkProps {
  to: GuideSlug;
  /** For pages where leaving would lose unsaved input. */
  newTab?: boolean;
  children: ReactNode;
}

/** A link to the guide that explains this part of the page. */
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
