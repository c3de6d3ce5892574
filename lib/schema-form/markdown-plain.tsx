import type { ReactNode } from "react";

/**
 * Stands in for markdown-to-jsx (next.config.js): the catalog's descriptions are plain text, and its 30 kB of Markdown
 * are not worth their way to the browser.
 */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}

export default Markdown;
