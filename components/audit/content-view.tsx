"use client";

import type { Content } from "#contract/contents.ts";
import { useWords } from "#words";
import { AnswerText } from "@/components/playground/output/answer-text";
import { JsonView } from "@/components/ui/json-view";
import { RowsTable } from "@/components/ui/list/rows-table";
import { answersOf, askedOf, filesOf, plainTextOf, thoughtsOf, writerOf } from "@/lib/requests/kept-messages";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { callsOf, textOfMessage } from "@/lib/schema-form/messages";
import { KeptFile } from "./kept-file.tsx";

interface ContentViewProps {
  content: Content;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** A kept call as a conversation, with its JSON below. */
export function ContentView({ content, baseUrl }: ContentViewProps) {
  const t = useWords("requests");
  const { input, output, error, cut, upstream_changes: changes } = content;
  const asked = askedOf(content);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {asked.length > 0 ? (
        <ol aria-label={t("conversation")} className="flex max-w-[720px] min-w-0 flex-col gap-3">
          {[...asked, ...answersOf(content)].map((message, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal, and those of a call never change
            <li key={at} className="flex min-w-0 flex-col">
              <Message message={message} baseUrl={baseUrl} />
            </li>
          ))}
        </ol>
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{plainTextOf(content)}</p>
      )}
      {cut && <p className="text-table text-muted">{t("theAnswerEndsHereIt")}</p>}
      {error && (
        <p className="text-table text-muted">
          {t.rich(
            "failedWith",
            { code: error.code, message: error.message },
            { mark: (content) => <code key="code">{content}</code> },
          )}
        </p>
      )}
      {changes !== null && changes.length > 0 && <UpstreamChanges changes={changes} />}
      <details>
        <summary className="cursor-pointer text-table font-medium">{t("json")}</summary>
        <div className="mt-2 flex flex-col gap-3">
          <JsonView value={input} label={t("input")} />
          {output !== null && <JsonView value={output} label={t("output")} />}
        </div>
      </details>
    </div>
  );
}

/** The fields that the upstream got otherwise than the caller sent them. */
function UpstreamChanges({ changes }: { changes: NonNullable<Content["upstream_changes"]> }) {
  const t = useWords("requests");
  return (
    <details>
      <summary className="cursor-pointer text-table font-medium">
        {t("changedFields", { fields: changes.length })}
      </summary>
      <div className="mt-2">
        <RowsTable
          label={t("changedForTheUpstream")}
          rows={changes.map((change) => ({ id: change.field, ...change }))}
          columns={[
            { head: t("field"), cellClass: "font-mono", cell: ({ field }) => field },
            {
              head: t("theCallerSent"),
              cellClass: "wrap-anywhere",
              cell: ({ asked }) => <Value value={asked} />,
            },
            {
              head: t("theUpstreamGot"),
              cellClass: "wrap-anywhere",
              cell: ({ sent }) => <Value value={sent} />,
            },
          ]}
        />
      </div>
    </details>
  );
}

function Value({ value }: { value: unknown }) {
  const t = useWords("requests");
  if (value === undefined) return <span className="text-muted">{t("nothing")}</span>;
  return <span className="font-mono">{typeof value === "string" ? value : JSON.stringify(value)}</span>;
}

function Message({ message, baseUrl }: { message: JsonObject; baseUrl: string }) {
  const t = useWords("requests");
  const role = String(message.role);
  const text = textOfMessage(message);
  const files = filesOf(message);
  const thoughts = thoughtsOf(message);
  if (role === "system" || role === "developer")
    return (
      <details className="text-table text-muted">
        <summary className="cursor-pointer font-medium">{writerOf(t, message)}</summary>
        <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{text}</p>
      </details>
    );
  const isAsked = role === "user";
  return (
    <div className={isAsked ? "max-w-[85%] self-end" : "max-w-full min-w-0"}>
      <p className={`text-meta text-muted ${isAsked ? "text-right" : ""}`}>{writerOf(t, message)}</p>
      {thoughts && (
        <details className="mb-2 text-table text-muted">
          <summary className="cursor-pointer font-medium">{t("thinking")}</summary>
          <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{thoughts}</p>
        </details>
      )}
      <div
        className={
          role === "assistant" ? undefined : "rounded-panel border border-transparent bg-sunken px-3 py-2"
        }
      >
        {role === "assistant" ? (
          text && <AnswerText text={text} />
        ) : (
          <p className={`whitespace-pre-wrap wrap-anywhere ${role === "tool" ? "font-mono text-table" : ""}`}>
            {text}
          </p>
        )}
        {files.map((file, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files of a kept message may be equal, and never change
          <KeptFile key={at} text={file} baseUrl={baseUrl} />
        ))}
        {callsOf(message).map((call, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls of a kept message never change
          <Call key={at} call={call} />
        ))}
      </div>
    </div>
  );
}

function Call({ call }: { call: JsonObject }) {
  const called = isObject(call.function) ? call.function : {};
  return (
    <div className="mt-2 rounded-control border border-transparent bg-sunken p-3">
      <p className="font-mono text-table font-medium">{String(called.name)}</p>
      <pre className="mt-1 overflow-x-auto font-mono text-table whitespace-pre-wrap wrap-anywhere">
        {String(called.arguments)}
      </pre>
    </div>
  );
}
