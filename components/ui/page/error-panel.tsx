"use client";

import dynamic from "next/dynamic";
import { useContext } from "react";
import { useWords } from "#words";
import { WordsContext } from "@/components/words/words-provider";
import type { GatewayFailure } from "@/lib/gateway/result";
import type { Language } from "@/messages/languages";
import { Button } from "../button.tsx";
import type { ErrorPanelProps } from "./error-panel-content.tsx";
import { usePageRouter } from "./link.tsx";

const contentIn = (language: Language) =>
  dynamic(
    () =>
      import("./error-panel-content.tsx")
        .then((module) => module.errorPanelIn(language))
        .catch(() => PlainError),
    { loading: () => null },
  );
const contents: Record<Language, ReturnType<typeof contentIn>> = {
  en: contentIn("en"),
  "zh-CN": contentIn("zh-CN"),
};

/**
 * The advice for a failure. Loaded when something has failed, because it contains the advice for every code.
 */
export function ErrorPanel(props: ErrorPanelProps) {
  const Content = contents[useContext(WordsContext).language];
  return <Content {...props} />;
}

/** Shows only the message, when the advice could not be loaded. */
function PlainError({ error, onRetry }: ErrorPanelProps) {
  const t = useWords("ui");
  return (
    <div role="alert" className="flex items-center gap-3 rounded-panel border border-bad bg-bad-soft p-4">
      <p className="flex-1 text-ink wrap-anywhere">{error.message}</p>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      )}
    </div>
  );
}

/** A page that could not be read, with a retry button. */
export function LoadFailure({ error }: { error: GatewayFailure }) {
  const router = usePageRouter();
  return <ErrorPanel error={error} onRetry={() => router.refresh()} />;
}
