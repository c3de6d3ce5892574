"use client";

import { CircleAlert, RotateCw } from "lucide-react";
import { useWords } from "#words";
import { signInAgainEvent } from "@/lib/browser/gateway";
import type { GatewayFailure } from "@/lib/gateway/result";
import { failureAdvice } from "@/lib/status/failure-advice";
import { detailText, type FailureWords, loadFailureWords } from "@/lib/status/failure-words";
import type { Language } from "@/messages/languages";
import { Button, LinkButton } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";

export interface ErrorPanelProps {
  error: GatewayFailure;
  onRetry?: () => void;
}

/** The panel in one language, with its words. */
export async function errorPanelIn(language: Language) {
  const words = await loadFailureWords(language);
  return (props: ErrorPanelProps) => <ErrorPanelContent {...props} words={words} />;
}

/** The advice, the problem, the code, and the request id. */
function ErrorPanelContent({ error, onRetry, words }: ErrorPanelProps & { words: FailureWords }) {
  const t = useWords("ui");
  const { title, advice, original, action, signsIn } = failureAdvice(error, words);
  // The advice names the roles and people with the permission.
  const details = error.details.filter(({ keyword }) => keyword !== "role");
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-3 rounded-panel border border-bad bg-bad-soft p-4"
    >
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold text-ink">{title}</p>
        <p className="text-ink wrap-anywhere">{advice}</p>
        {details.length > 0 && (
          <ul className="mt-1 list-disc pl-5 text-table">
            {details.map((detail) => (
              <li key={`${detail.path} ${detail.message}`}>
                <code>{detail.path || "/"}</code> {detailText(words, detail)}
              </li>
            ))}
          </ul>
        )}
        {original && (
          <details className="mt-1 text-table">
            <summary className="cursor-pointer">{words.texts.details}</summary>
            <p lang="en" className="wrap-anywhere">
              {original}
            </p>
          </details>
        )}
        <p className="mt-2 flex flex-wrap items-center gap-x-3 font-mono text-meta text-muted">
          <span>{error.status > 0 ? `${error.status} ${error.code}` : error.code}</span>
          {error.requestId && (
            <span className="inline-flex items-center">
              {error.requestId}
              <CopyButton value={error.requestId} label={t("copyRequestId")} />
            </span>
          )}
        </p>
      </div>
      {action && (
        <LinkButton href={action.href} target={action.target} rel="noopener" size="sm">
          {action.label}
        </LinkButton>
      )}
      {signsIn && <SignInAgain />}
      {onRetry && (
        <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      )}
    </div>
  );
}

/** Opens the sign-in dialog over the page, which stays unchanged. */
function SignInAgain() {
  const t = useWords("ui");
  return (
    <Button size="sm" onClick={() => window.dispatchEvent(new Event(signInAgainEvent))}>
      {t("signIn")}
    </Button>
  );
}
