"use client";

import { Check, Copy, Download, Eye, EyeOff } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { copyText } from "@/lib/browser/copy-text";
import { saveTextFile } from "@/lib/browser/save-file";

interface SecretDialogProps {
  /** The secret while it can be seen. Null closes the dialog. */
  secret: string | null;
  /** The name of the secret, e.g. "signing secret". */
  name: string;
  /** The variable in the `.env` line, e.g. `WEBHOOK_SECRET`. */
  envName: string;
  /** Other facts that matter now, e.g. how long the old secret keeps working. */
  note?: ReactNode;
  /** The caller forgets the secret here. Nothing else stores it. */
  onDone: () => void;
}

/** Shows a secret, which cannot be shown again. The dialog cannot be closed by accident. */
export function SecretDialog({ secret, ...rest }: SecretDialogProps) {
  // The content is unmounted with the secret, so a later secret starts masked and unticked.
  return secret === null ? null : <OpenSecretDialog secret={secret} {...rest} />;
}

function OpenSecretDialog({ secret, name, envName, note, onDone }: SecretDialogProps & { secret: string }) {
  const t = useWords("secrets");
  const [stored, setStored] = useState(false);
  const [leaving, setLeaving] = useState(false);
  // If the box is ticked, nothing can be lost, so no question is needed.
  const attempt = () => (stored ? void close() : setLeaving(true));
  const release = useLeaveGuard(true, attempt);
  const close = async () => {
    await release();
    onDone();
  };
  return (
    <Dialog
      open
      onOpenChange={attempt}
      dismissible={false}
      onDismissAttempt={attempt}
      title={t("storeTheNameNow", { name })}
      description={t("theSecretIsShownOnly")}
      footer={
        leaving ? (
          <LeaveQuestion name={name} onStay={() => setLeaving(false)} onLeave={close} />
        ) : (
          <Button variant="primary" disabled={!stored} onClick={close}>
            {t("done")}
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <SecretField secret={secret} name={name} envName={envName} />
        {note && <div className="text-base text-ink">{note}</div>}
        <Checkbox
          label={t("iHaveStoredItIn")}
          checked={stored}
          onChange={(event) => {
            setStored(event.currentTarget.checked);
            setLeaving(false);
          }}
        />
      </div>
    </Dialog>
  );
}

function LeaveQuestion(props: { name: string; onStay: () => void; onLeave: () => void }) {
  const t = useWords("secrets");
  return (
    <div role="alert" className="flex w-full flex-wrap items-center justify-end gap-2">
      <p className="min-w-48 flex-1 text-base text-ink">{t("leaveWithoutTheNameIt", { name: props.name })}</p>
      <Button variant="danger" onClick={props.onLeave}>
        {t("closeWithoutSaving")}
      </Button>
      <Button variant="primary" autoFocus onClick={props.onStay}>
        {t("goBack")}
      </Button>
    </div>
  );
}

const guardMark = "gatehouseGuard";

function isGuarded(): boolean {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null && guardMark in state;
}

/**
 * While `active`, Back and reload show a question first. One extra history entry represents the page.
 * `release` removes it again and resolves when it is gone.
 */
function useLeaveGuard(active: boolean, onAttempt: () => void): () => Promise<void> {
  const attempt = useRef(onAttempt);
  attempt.current = onAttempt;
  const released = useRef(false);
  useUnloadWarning(active);

  useEffect(() => {
    if (!active) return;
    released.current = false;
    const push = () => {
      if (!isGuarded()) window.history.pushState({ ...window.history.state, [guardMark]: true }, "");
    };
    const onPopState = () => {
      if (released.current) return;
      push();
      attempt.current();
    };
    push();
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, [active]);

  return useCallback(() => {
    released.current = true;
    if (!isGuarded()) return Promise.resolve();
    return new Promise((done) => {
      window.addEventListener("popstate", () => done(), { once: true });
      window.history.back();
    });
  }, []);
}

const visibleEnd = 4;
const maskLength = 24;
/** Browsers remove a leading dot, so the file gets a name. */
const envFileName = "gatehouse.env";

/** The masked secret with Reveal, Copy and Download. Screen readers announce each result. */
function SecretField({ secret, name, envName }: { secret: string; name: string; envName: string }) {
  const t = useWords("secrets");
  const [revealed, setRevealed] = useState(false);
  const [news, setNews] = useState("");

  const copy = async () => {
    try {
      await copyText(secret);
      setNews(t("copiedToTheClipboard"));
    } catch {
      // Copying failed: reveal the text so that the user can select it.
      setRevealed(true);
      setNews(t("couldNotCopy"));
    }
  };
  const download = () => {
    saveTextFile(envFileName, envLine(envName, secret));
    setNews(t("downloadedLine", { envName }));
  };

  return (
    <div className="space-y-2">
      <code className="block rounded-control border bg-sunken px-3 py-2 text-table break-all text-ink select-all">
        {revealed ? secret : masked(secret)}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-pressed={revealed}
          icon={revealed ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? t("hide") : t("reveal")}
        </Button>
        <Button icon={<Copy size={16} aria-hidden />} onClick={copy} aria-label={t("copyTheName", { name })}>
          {t("copy")}
        </Button>
        <Button icon={<Download size={16} aria-hidden />} onClick={download}>
          {t("downloadAsEnvLine")}
        </Button>
      </div>
      <p role="status" className="flex min-h-6 items-center gap-1 text-table text-muted">
        {news && <Check size={14} aria-hidden className="text-good" />}
        {news}
      </p>
    </div>
  );
}

/** The secret's prefix, dots, and the last four characters. */
function masked(secret: string): string {
  const prefix = /^[a-z_]+_/.exec(secret)?.[0] ?? "";
  return `${prefix}${"•".repeat(maskLength)}${secret.slice(-visibleEnd)}`;
}

/** The line of a `.env` file for a secret: `NAME=value` and a line break. */
function envLine(name: string, secret: string): string {
  return `${name}=${secret}\n`;
}
