"use client";

import { type ComponentProps, useState } from "react";
import { Dialog } from "../dialog.tsx";

interface FormDialogProps
  extends Omit<ComponentProps<typeof Dialog>, "onOpenChange" | "dismissible" | "overlayCloses"> {
  /** The form is being sent. Its answer, which may show a secret once, must find the dialog open. */
  busy: boolean;
  onClose: () => void;
}

/**
 * A dialog around a form: it stays open while the form is sent, and a click beside it loses nothing typed.
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
