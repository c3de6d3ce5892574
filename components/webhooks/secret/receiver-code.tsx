import { useWords } from "#words";
import { CodeBlock } from "@/components/ui/code-block";
import { verifySnippets } from "@/lib/webhooks/verify-snippets";

/** Complete receivers. Rendered on the server, so that their text is not in the page's script. */
export function ReceiverCode() {
  const t = useWords("webhooks");
  return (
    <div className="space-y-3">
      <ul className="list-disc space-y-0.5 pl-5 text-base text-muted">
        <li>{t("verifyTheRawBodyBytes")}</li>
        <li>{t("rejectTimestampsOlderThan300")}</li>
        <li>{t("anEventCanArriveMore")}</li>
        <li>{t("respondWith2xxWithin10")}</li>
      </ul>
      <ReceiverCommands />
      <CodeBlock
        label={t("receiverCode")}
        tabs={verifySnippets.map((snippet) => ({
          label: snippet.label,
          language: snippet.id,
          code: snippet.code,
        }))}
      />
    </div>
  );
}

/** The commands that start the receivers. */
function ReceiverCommands() {
  const t = useWords("webhooks");
  return (
    <details className="text-table text-muted">
      <summary className="w-fit rounded-control">{t("howToRun")}</summary>
      <ul className="mt-1 space-y-1">
        {verifySnippets.map((snippet) => (
          <li key={snippet.id} className="wrap-anywhere">
            {t.rich(
              "snippetRun",
              { label: snippet.label, file: snippet.fileName, run: snippet.run },
              {
                code: (content) => <code key="file">{content}</code>,
                command: (content) => (
                  <code key="run" className="text-ink">
                    {content}
                  </code>
                ),
              },
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
