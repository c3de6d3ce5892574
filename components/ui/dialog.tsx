"use client";

import { X } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { useWords } from "#words";
import type { GatewayFailure } from "@/lib/gateway/result";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./looks.ts";
import { ErrorPanel } from "./page/error-panel.tsx";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  size?: "sm" | "md" | "lg" | "full";
  /** False: Esc, the overlay and Back do not close the dialog. `onDismissAttempt` is called instead. */
  dismissible?: boolean;
  onDismissAttempt?: () => void;
  /** False: a click beside the dialog does nothing. Esc and its buttons still close it. */
  overlayCloses?: boolean;
  /** For the palette, which has its own header. */
  hideHeader?: boolean;
  children?: ReactNode;
}

const firstFocus =
  "[data-autofocus], [data-dialog-body] :is(input, textarea, select):not(:disabled, [type=hidden])";

const widths = { sm: "max-w-[420px]", md: "max-w-[560px]", lg: "max-w-[860px]", full: "max-w-[1400px]" };

/**
 * A modal built on the browser's `<dialog>`, which brings the focus trap, the inert page and the focus
 * return.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = "md",
  ...rest
}: DialogProps) {
  const t = useWords("ui");
  const { dismissible = true, onDismissAttempt, overlayCloses = true, hideHeader, children } = rest;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      // The browser would focus the close button, but the dialog's own content should come first.
      element.querySelector<HTMLElement>(firstFocus)?.focus({ preventScroll: true });
    }
    if (!open && element.open) element.close();
  }, [open]);

  // A dialog that is removed while it is open must also return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);

  const dismiss = () => (dismissible ? onOpenChange(false) : onDismissAttempt?.());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    // Chromium closes a dialog on the second Esc, even if `cancel` was prevented. Stopping the key prevents
    // that.
    event.preventDefault();
    event.stopPropagation();
    dismiss();
  };

  const onPointerDown = (event: MouseEvent) => {
    if (event.target === dialog.current && overlayCloses) dismiss();
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      {...(description ? { "aria-describedby": `${id}-description` } : {})}
      onKeyDown={onKeyDown}
      onMouseDown={onPointerDown}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) dismiss();
      }}
      onClose={(event) => {
        // The browser closed the dialog (Back on a phone). A dialog that must stay is opened again.
        if (event.target !== dialog.current || !open || dialog.current.open) return;
        if (dismissible) onOpenChange(false);
        else dialog.current.showModal();
      }}
      className={classNames(
        "m-auto w-[calc(100%-24px)] rounded-panel border bg-raised p-0 text-ink shadow-float backdrop:bg-[oklch(0.15_0.01_275/0.5)] open:appear",
        widths[size],
      )}
    >
      {open && (
        <div className="flex max-h-[min(85dvh,900px)] flex-col">
          <header className={hideHeader ? "sr-only" : "flex items-start gap-3 border-b px-5 py-4"}>
            <div className="min-w-0 flex-1">
              <h2 id={`${id}-title`} className="text-title font-semibold wrap-anywhere">
                {title}
              </h2>
              {description && (
                <p id={`${id}-description`} className="mt-1 text-base text-muted">
                  {description}
                </p>
              )}
            </div>
            {dismissible && !hideHeader && (
              <IconButton label={t("close")} size="sm" icon={<X size={16} aria-hidden />} onClick={dismiss} />
            )}
          </header>
          {children && (
            <div
              data-dialog-body
              className={classNames(
                "min-h-0 overflow-y-auto has-data-form-actions:scroll-pb-20",
                !hideHeader && "px-5 py-4",
              )}
            >
              {children}
            </div>
          )}
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>
          )}
        </div>
      )}
    </dialog>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  body: ReactNode;
  /** Names the action: "Delete endpoint". */
  confirmLabel: string;
  tone?: "bad" | "accent";
  onConfirm: () => void;
  busy?: boolean | undefined;
  /** The failure is shown in the dialog, because the page behind is inert. */
  failure?: GatewayFailure | null;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  body,
  confirmLabel,
  tone = "accent",
  ...rest
}: ConfirmDialogProps) {
  const t = useWords("ui");
  const { onConfirm, busy, failure } = rest;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={title}
      size="sm"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant={tone === "bad" ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <div className="text-base text-muted wrap-anywhere">{body}</div>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
