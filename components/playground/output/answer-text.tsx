"use client";

import dynamic from "next/dynamic";
import { useWords } from "#words";
import { ErrorBoundary } from "@/components/ui/page/error-boundary";
import { isWithinMarkdownBounds } from "./markdown-bounds.ts";

const Markdown = dynamic(() => import("./markdown.tsx").then((module) => module.Markdown), {
  ssr: false,
  // Plain text is shown while the Markdown code loads.
  loading: () => null,
});

/** An answer as Markdown, or as plain text if Markdown would take too long or fails. */
export function AnswerText({ text }: { text: string }) {
  const t = useWords("media");
  if (!isWithinMarkdownBounds(text))
    return (
      <>
        <p className="mb-2 text-meta text-muted">{t("shownAsPlainTextBecause")}</p>
        <PlainText text={text} />
      </>
    );
  return (
    <ErrorBoundary fallback={<PlainText text={text} />}>
      <Markdown text={text} />
    </ErrorBoundary>
  );
}

export function PlainText({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>;
}
