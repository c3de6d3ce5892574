import type { ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";

interface NotOfferedProps {
  /** What is missing, e.g. "a list of endpoints". */
  what: string;
  /** What still works, or where else to look. */
  children: ReactNode;
}

/** A page of a gateway whose extension routes are switched off: plain about it, and helpful with the rest. */
export function NotOffered({ what, children }: NotOfferedProps) {
  return <EmptyState drawing="gate" title={`This gateway does not offer ${what}`} body={children} />;
}
