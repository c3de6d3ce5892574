"use client";

import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { Time } from "@/components/ui/time";
import { copyText } from "@/lib/browser/copy-text";

interface LinkDialogProps {
  title: string;
  url: string;
  expiresAt: string;
  children: ReactNode;
  onClose: () => void;
}

/** Shows a one-time link the only time it can be seen. */
export function LinkDialog({ title, url, expiresAt, children, onClose }: LinkDialogProps) {
  const [news, setNews] = useState("");
  const [copied, setCopied] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const copy = async () => {
    try {
      await copyText(url);
      setNews("Copied to the clipboard");
      setCopied(true);
      setLeaving(false);
    } catch {
      setNews("Could not copy. Select the link and copy it manually");
    }
  };
  return (
    <Dialog
      open
      // A single Escape must not lose something that is shown only once.
      onOpenChange={() => (copied || leaving ? onClose() : setLeaving(true))}
      overlayCloses={false}
      title={title}
      footer={
        <>
          {leaving && (
            <p role="alert" className="min-w-48 flex-1 text-base text-ink">
              The link is not copied and cannot be shown again. Close anyway?
            </p>
          )}
          <Button onClick={onClose}>{leaving ? "Close without copying" : "Done"}</Button>
          <Button variant="primary" data-autofocus icon={<Copy size={16} aria-hidden />} onClick={copy}>
            Copy link
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <p className="text-muted">{children}</p>
        <Field
          label="Link"
          hint={
            <>
              Shown only once. It works once, until <Time value={expiresAt} mode="absolute" />.
            </>
          }
        >
          {(aria) => (
            <Input
              {...aria}
              readOnly
              value={url}
              className="font-mono text-table"
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Field>
        <p role="status" className="min-h-5 text-table text-muted">
          {news}
        </p>
      </div>
    </Dialog>
  );
}
