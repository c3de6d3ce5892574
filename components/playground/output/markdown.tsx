"use client";

import { isValidElement, memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useWords } from "#words";
import { CodeBlock } from "@/components/ui/code-block";
import { blocksOf } from "@/lib/markdown-blocks";

/** Headings of an answer rank below those of the page, and its links open in a new tab. */
const components: Components = {
  h1: ({ children }) => <h3 className="mt-4 mb-1 text-title font-semibold first:mt-0">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-4 mb-1 font-semibold first:mt-0">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-3 mb-1 font-semibold first:mt-0">{children}</h5>,
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal pl-5">
      {children}
    </ol>
  ),
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
      {children}
    </a>
  ),
  // The reader's browser must not request a URL that a model made up.
  img: ({ alt }) => <Unloaded alt={alt ?? ""} />,
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 pl-3 text-muted">{children}</blockquote>
  ),
  code: ({ children }) => (
    <code className="rounded-[4px] bg-sunken px-1 font-mono text-table">{children}</code>
  ),
  pre: ({ children }) => (
    <div className="my-2 first:mt-0 last:mb-0">
      <CodeBlock {...codeOf(children)} />
    </div>
  ),
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
};

function Unloaded({ alt }: { alt: string }) {
  const t = useWords("media");
  return <span className="text-muted">{t("unloadedImage", { alt })}</span>;
}

function ScrollingTable({ children }: { children: ReactNode }) {
  const t = useWords("media");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={t("table")} className="my-2 overflow-x-auto">
      <table className="wrap-break-word text-table [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:px-2 [&_th]:py-1 [&_th]:text-left">
        {children}
      </table>
    </section>
  );
}

/** Text and language of a fenced block. */
function codeOf(children: ReactNode): { code: string; language: string } {
  const props = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : {};
  const language = /language-(\S+)/.exec(props.className ?? "")?.[1] ?? "text";
  return { code: String(props.children ?? "").replace(/\n$/, ""), language: language.toLowerCase() };
}

/** An answer as Markdown, even while it streams: only its last block is parsed again. Raw HTML stays text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <div className="my-2 first:mt-0 last:mb-0">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
