"use client";

import { type ComponentProps, useState } from "react";
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
