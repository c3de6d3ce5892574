import type { ReactNode } from "react";
import { useWords } from "#words";
import { EmptyState } from "./empty-state.tsx";

interface NotOfferedProps {
  /** The missing feature, e.g. "a list of endpoints". */
  what: string;
  /** What still works, or where else to look. */
  children: ReactNode;
  action?: ReactNode;
  /** One line below the rest of the page, instead of replacing the page. */
  brief?: boolean;
}

/**
 * Shown if the gateway's extension routes are switched off: names the missing feature and what still works.
 */
export function NotOffered({ what, children, action, brief }: NotOfferedProps) {
  const t = useWords("ui");
  if (brief)
    return (
      <p className="text-table text-muted">
        {t("notOfferedBrief", { what })} {children}
      </p>
    );
  return <EmptyState drawing="gate" title={t("notOffered", { what })} body={children} action={action} />;
}
