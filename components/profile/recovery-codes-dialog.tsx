"use client";

import { Check, Copy, Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { copyText } from "@/lib/browser/copy-text";
import { saveTextFile } from "@/lib/browser/save-text-file";

/** Shows new recovery codes the only time they can be seen; it cannot be closed by accident. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  const [news, setNews] = useState("");
  useUnloadWarning(!stored);
  const text = `${codes.join("\n")}\n`;
  const copy = () =>
    copyText(text).then(
      () => setNews("Copied to the clipboard."),
      () => setNews("Could not copy. Select the codes and copy them manually."),
    );
  const download = () => {
    saveTextFile("gatehouse-recovery-codes.txt", text);
    setNews("Downloaded gatehouse-recovery-codes.txt.");
  };
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      dismissible={false}
      onDismissAttempt={() => setNews("Store the codes first, then tick the box below.")}
      title="Store your recovery codes now"
      description="Each lets you sign in once without your phone or passkey. They are shown only this time."
      footer={
        <Button variant="primary" disabled={!stored} onClick={onDone}>
          Done
        </Button>
      }
    >
      <div className="space-y-4">
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border bg-sunken px-3 py-2 font-mono text-table select-all max-phone:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy size={16} aria-hidden />} onClick={copy}>
            Copy
          </Button>
          <Button icon={<Download size={16} aria-hidden />} onClick={download}>
            Download
          </Button>
        </div>
        <p role="status" className="flex min-h-6 items-center gap-1 text-table text-muted">
          {news && <Check size={14} aria-hidden className="text-good" />}
          {news}
        </p>
        <Checkbox
          label="I have stored them in a safe place"
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}
