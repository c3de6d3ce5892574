"use client";

import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import type { ProvidersFileExport } from "#contract/operator/file.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { answerOf } from "@/lib/browser/action-answer";
import { saveTextFile } from "@/lib/browser/save-file";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { contentsText } from "./contents-text.ts";

const fileName = "providers.json";

/** Exports the console's settings as a file for git or another gateway. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useWords("providers");
  const [answer, setAnswer] = useState<GatewayResult<ProvidersFileExport> | null>(null);
  useEffect(() => {
    let left = false;
    void answerOf(act("GET /operator/file")).then((found) => !left && setAnswer(found));
    return () => {
      left = true;
    };
  }, []);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("exportAsFile")}
      description={t("providersModelsRoutesAliasesAnd")}
      footer={
        <>
          <Button onClick={onClose}>{t("close")}</Button>
          {answer?.ok && (
            <Button
              variant="primary"
              icon={<Download size={16} aria-hidden />}
              onClick={() => saveTextFile(fileName, `${JSON.stringify(answer.data.file, null, 2)}\n`)}
            >
              {t("downloadFilename", { fileName })}
            </Button>
          )}
        </>
      }
    >
      {!answer ? (
        <Skeleton className="h-32 w-full" />
      ) : answer.ok ? (
        <Exported {...answer.data} />
      ) : (
        <ErrorPanel error={answer.error} />
      )}
    </Dialog>
  );
}

function Exported({ file, environment, notes }: ProvidersFileExport) {
  const t = useWords("providers");
  const names = [...new Set(environment.map(({ name }) => name))];
  const whose = (variable: string) =>
    environment
      .filter(({ name }) => name === variable)
      .map(({ provider, region }) => `${provider}, ${region}`)
      .join("; ");
  return (
    <div className="space-y-4">
      <p>
        {t.rich(
          "exported",
          {
            contents: contentsText(t, {
              providers: Object.keys(file.providers ?? {}).length,
              models: Object.keys(file.models ?? {}).length,
              routes: (file.routes as unknown[]).length,
              aliases: Object.keys(file.aliases ?? {}).length,
              prices: ((file.prices ?? []) as unknown[]).length,
            }),
          },
          { code: (name) => <code key="setting">{name}</code> },
        )}
      </p>
      {notes.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-table text-muted wrap-anywhere">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {names.length > 0 && (
        <>
          <p>{t("setVariables", { count: names.length })}</p>
          <CodeBlock
            label={t("variablesToSet")}
            language=".env"
            code={names.map((name) => `# ${whose(name)}\n${name}=`).join("\n")}
          />
        </>
      )}
    </div>
  );
}
