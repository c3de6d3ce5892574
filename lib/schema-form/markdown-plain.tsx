import type { ReactNode } from "react";

/**
 * Replaces markdown-to-jsx (next.config.js): the catalog's descriptions are plain text, so its 30 kB of
 * Markdown would be wasted.
 */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}

export default Markdown;
