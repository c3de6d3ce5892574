"use client";

import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import type { ProvidersFileExport } from "#contract/operator-file.ts";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { saveTextFile } from "@/lib/browser/save-text-file";
import { settled } from "@/lib/browser/settled";
import type { GatewayResult } from "@/lib/gateway/result";
import { exportProvidersFile } from "@/lib/operator/file-actions";
import { contentsText } from "./contents-text.ts";

const fileName = "providers.json";

/** The providers and routes of the console as a file for git or another gateway. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const [answer, setAnswer] = useState<GatewayResult<ProvidersFileExport> | null>(null);
  useEffect(() => {
    let left = false;
    void settled(exportProvidersFile()).then((found) => !left && setAnswer(found));
    return () => {
      left = true;
    };
  }, []);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Export as file"
      description="Providers and routes that were made in the console. Keys are never in the file."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {answer?.ok && (
            <Button
              variant="primary"
              icon={<Download size={16} aria-hidden />}
              onClick={() => saveTextFile(fileName, `${JSON.stringify(answer.data.file, null, 2)}\n`)}
            >
              Download {fileName}
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

function Exported({ file, environment }: ProvidersFileExport) {
  const names = [...new Set(environment.map(({ name }) => name))];
  const whose = (variable: string) =>
    environment
      .filter(({ name }) => name === variable)
      .map(({ provider, region }) => `${provider}, ${region}`)
      .join("; ");
  return (
    <div className="space-y-4">
      <p>
        {contentsText(Object.keys(file.providers ?? {}).length, (file.routes as unknown[]).length)}. Use it as{" "}
        <code>PROVIDERS_FILE</code> of a gateway, or import it into another console.
      </p>
      {names.length > 0 && (
        <>
          <p>
            Set {names.length === 1 ? "this variable to its key" : "these variables to their keys"} where the
            file is used:
          </p>
          <CodeBlock
            label="Variables to set"
            language=".env"
            code={names.map((name) => `# ${whose(name)}\n${name}=`).join("\n")}
          />
        </>
      )}
    </div>
  );
}
