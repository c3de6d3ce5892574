import type { ReactNode } from "react";

/** The buttons that end a form in a dialog: they stay in sight while its fields scroll by above them. */
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
