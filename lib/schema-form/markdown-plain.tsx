import type { ReactNode } from "react";

/**
 * Replaces markdown-to-jsx (next.config.js), which would add 30 kB: the catalog's descriptions are plain
 * text.
 */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}

export default Markdown;
