import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useWords } from "#words";
import { anchorOf } from "@/lib/heading-anchor";

const look =
  "max-w-[80ch] space-y-3 wrap-anywhere [&_a]:text-accent [&_a]:underline [&_h1]:text-page [&_h1]:font-semibold [&_h2]:pt-4 [&_h2]:text-title [&_h2]:font-semibold [&_h3]:pt-2 [&_h3]:font-semibold [&_li]:mt-1.5 [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5 [&_code]:bg-sunken [&_code]:px-1 [&_code]:text-table [&_pre]:overflow-x-auto [&_pre]:rounded-panel [&_pre]:border [&_pre]:bg-sunken [&_pre]:p-3 [&_section]:overflow-x-auto [&_table]:text-table [&_table]:wrap-break-word [&_td]:border [&_td]:px-2 [&_td]:py-1.5 [&_td]:align-top [&_th]:border [&_th]:px-2 [&_th]:py-1.5 [&_th]:text-left";

/** Markdown of the documentation, drawn on the server. Raw HTML and pictures in it are left out. */
export function ChapterText({ text }: { text: string }) {
  return (
    <div className={look}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={components}
        skipHtml
        disallowedElements={["img"]}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

const components: Components = {
  h2: ({ children }) => <h2 id={anchorOf(textOf(children))}>{children}</h2>,
  h3: ({ children }) => <h3 id={anchorOf(textOf(children))}>{children}</h3>,
  a: ({ href = "", children }) => {
    const [, slug, anchor = ""] = /^(?:\.\.\/)?([\w-]+)\.md(#[\w-]*)?$/.exec(href) ?? [];
    if (slug !== undefined) return <a href={`/public/help/${slug}${anchor}`}>{children}</a>;
    // Other files of the repository are not here.
    return /^(?:https?:|#)/.test(href) ? <a href={href}>{children}</a> : children;
  },
  // What scrolls must be reachable by keyboard.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ChapterTable,
};

function ChapterTable({ children }: { children?: ReactNode }) {
  const t = useWords("publicPages");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as code
    <section tabIndex={0} aria-label={t("table")}>
      <table>{children}</table>
    </section>
  );
}

/** The text of a heading, also of code in it. */
function textOf(children: ReactNode): string {
  if (Array.isArray(children)) return children.map(textOf).join("");
  if (typeof children !== "object" || children === null || !("props" in children))
    return String(children ?? "");
  return textOf((children.props as { children?: ReactNode }).children);
}
