"use client";

import { Download, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Output } from "#contract/outputs.ts";
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
import { LabelsForm, useLibraryChanges } from "./labels-dialog.tsx";

const minuteMs = 60_000;

/** A kept file: its type, its origin, and the actions. */
export function KeptDialog({ output, onClose }: { output: Output; onClose: () => void }) {
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
        title="Kept file"
        footer={
          <>
            <Permitted to="outputs:keep">
              <Button
                icon={<Trash2 size={16} aria-hidden />}
                busy={busy}
                onClick={() => (isOnlyCopy ? setAsking(true) : void removeNow())}
              >
                Remove
              </Button>
            </Permitted>
            {url && (
              <a
                href={url}
                download
                className="inline-flex items-center gap-2 text-accent underline-offset-2 hover:underline"
              >
                <Download size={16} aria-hidden />
                Download
              </a>
            )}
            {again && !output.gated && (
              <Permitted to="operations:run">
                <LinkButton variant="primary" href={again} icon={<RotateCw size={16} aria-hidden />}>
                  Run again
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
              This file is shown only to people who have attested.{" "}
              <Link href="/attestations" className="text-accent underline">
                Open attestations
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
          <Facts facts={factsOf(output)} />
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove the only copy?"
        body={
          <p>
            The run’s own file was already removed. You can undo this for ten minutes, then the file is
            deleted.
          </p>
        }
        confirmLabel="Remove"
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

function factsOf(output: Output) {
  const { kept, url, kept_until: until } = output;
  return [
    ["Model", <code key="model">{output.model}</code>],
    ["Made", <Time key="made" value={output.created_at} />],
    [
      "Kept",
      <span key="kept">
        {kept && <Time value={kept.kept_at} />}{" "}
        {kept && makerName(kept.kept_by) && `by ${makerName(kept.kept_by)}`}
      </span>,
    ],
    ["Kept until", until ? <Time key="until" value={until} /> : "removed by somebody"],
    ["Size", <Bytes key="size" value={output.size_bytes} />],
    [
      "SHA-256",
      <span key="sha" className="font-mono text-meta">
        {output.provenance.sha256}
      </span>,
    ],
    ...(url
      ? [
          [
            "URL to use as an input",
            <span key="address" className="inline-flex items-center gap-1">
              valid for a day <CopyButton value={url} label="Copy address" />
            </span>,
          ] as const,
        ]
      : []),
  ] as const;
}
