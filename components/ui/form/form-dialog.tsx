"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { Dialog } from "../dialog.tsx";

interface FormDialogProps
  extends Omit<ComponentProps<typeof Dialog>, "onOpenChange" | "dismissible" | "overlayCloses"> {
  /**
   * True while the form is being sent. Its answer may contain a secret that is shown once, so the dialog must
   * stay open.
   */
  busy: boolean;
  onClose: () => void;
}

/**
 * A dialog around a form. It stays open while the form is sent, and a click beside it loses no typed text.
 */
export function FormDialog({ busy, onClose, children, ...rest }: FormDialogProps) {
  const [touched, setTouched] = useState(false);
  return (
    <Dialog
      {...rest}
      onOpenChange={(next) => !next && onClose()}
      dismissible={!busy}
      overlayCloses={!touched}
    >
      <div onChange={() => setTouched(true)}>{children}</div>
    </Dialog>
  );
}

/** The buttons at the end of a form in a dialog. They stay visible while the fields scroll. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div
      data-form-actions
      className="sticky -bottom-4 z-10 -mx-5 -mb-4 flex flex-wrap justify-end gap-2 border-t bg-raised px-5 py-3"
    >
      {children}
    </div>
  );
}
