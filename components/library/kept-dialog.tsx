"use client";

import { Download, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { MediaPreview } from "@/components/media/media-preview";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { Facts } from "@/components/ui/facts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Bytes } from "@/components/ui/quantity";
import { Time, useNow } from "@/components/ui/time";
import { makerName } from "@/lib/team/maker";
import type { Words } from "@/messages/words";
import { LabelsForm, useLibraryChanges } from "./labels-dialog.tsx";

const minuteMs = 60_000;

/** A kept file: its type, its origin, and the actions. */
export function KeptDialog({ output, onClose }: { output: Output; onClose: () => void }) {
  const t = useWords("library");
  const { busy, failure, keep, remove } = useLibraryChanges();
  const [asking, setAsking] = useState(false);
  const nowMs = useNow(minuteMs);
  const { kept, url } = output;
  const again = runAgainHref(output);
  const isOnlyCopy = Date.parse(output.expires_at) <= nowMs;
  const removeNow = async () => {
    setAsking(false);
    if (await remove(output.id)) onClose();
  };
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        size="lg"
        title={t("keptFile")}
        footer={
          <>
            <Permitted to="outputs:keep">
              <Button
                icon={<Trash2 size={16} aria-hidden />}
                busy={busy}
                onClick={() => (isOnlyCopy ? setAsking(true) : void removeNow())}
              >
                {t("remove")}
              </Button>
            </Permitted>
            {url && (
              <a
                href={url}
                download
                className="inline-flex items-center gap-2 text-accent underline-offset-2 hover:underline"
              >
                <Download size={16} aria-hidden />
                {t("download")}
              </a>
            )}
            {again && !output.gated && (
              <Permitted to="operations:run">
                <LinkButton variant="primary" href={again} icon={<RotateCw size={16} aria-hidden />}>
                  {t("runAgain")}
                </LinkButton>
              </Permitted>
            )}
          </>
        }
      >
        <div className="space-y-4">
          {failure && <ErrorPanel error={failure} />}
          {url ? (
            <MediaPreview
              file={{ ...output, url, width: null, height: null, duration: null }}
              title={kept?.prompt ?? output.model}
            />
          ) : (
            <p className="rounded-panel border p-4 text-muted">
              {t("thisFileIsShownOnly")}{" "}
              <Link href="/attestations" className="text-accent underline">
                {t("openAttestations")}
              </Link>
            </p>
          )}
          {kept?.prompt && (
            <blockquote className="max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere border-accent border-l-2 pl-3">
              {kept.prompt}
            </blockquote>
          )}
          <Permitted to="outputs:keep">
            <LabelsForm
              labels={kept?.labels ?? []}
              busy={busy}
              onSave={(labels) => void keep(output.id, { labels }).then((saved) => saved && onClose())}
            />
          </Permitted>
          <Facts facts={factsOf(output, t)} />
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("removeTheOnlyCopy")}
        body={<p>{t("theRunsOwnFileWas")}</p>}
        confirmLabel={t("remove")}
        tone="bad"
        busy={busy}
        onConfirm={() => void removeNow()}
      />
    </>
  );
}

/** Link to the playground of a kept output's operation with its input. Null if the operation is unknown. */
function runAgainHref({ id, model, kept }: Pick<Output, "id" | "model" | "kept">): string | null {
  if (!kept?.api_type) return null;
  const path = model.split("/").map(encodeURIComponent).join("/");
  return `/playground/${path}/${kept.api_type}?from=${id}`;
}

function factsOf(output: Output, t: Words<"library">) {
  const by = output.kept && makerName(output.kept.kept_by, t.language);
  const { kept, url, kept_until: until } = output;
  return [
    [t("model"), <code key="model">{output.model}</code>],
    [t("made"), <Time key="made" value={output.created_at} />],
    [
      t("kept"),
      <span key="kept">
        {kept && <Time value={kept.kept_at} />} {by && t("byName", { by })}
      </span>,
    ],
    [t("keptUntil"), until ? <Time key="until" value={until} /> : t("removedBySomebody")],
    [t("size"), <Bytes key="size" value={output.size_bytes} />],
    [
      "SHA-256",
      <span key="sha" className="font-mono text-meta">
        {output.provenance.sha256}
      </span>,
    ],
    ...(url
      ? [
          [
            t("urlToUse"),
            <span key="address" className="inline-flex items-center gap-1">
              {t("validForADay")} <CopyButton value={url} label={t("copyAddress")} />
            </span>,
          ] as const,
        ]
      : []),
  ] as const;
}
