"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { type AttestationCode, gates } from "@/lib/attestations/gates";
import { AttestFlow } from "./attest-flow.tsx";

const focusReturnDelayMs = 50;

interface GateDialogProps {
  open: boolean;
  /**
   * Codes of the missing attestations, from a 403 or from the check before the run. The dialog records all of
   * them together, except the confirmation that each run needs.
   */
  codes: readonly AttestationCode[];
  /** The id of the model that requires the attestations. */
  model: string;
  /** Called when all attestations are recorded. The caller never starts the run: the user does. */
  onAttested: () => void;
  onClose: () => void;
  /** Moves the focus to the next control after the dialog has closed. */
  returnFocus?: () => void;
}

/** Explains which attestations an operation needs, and lets the signed-in user give them. */
export function GateDialog({ open, codes, model, onAttested, onClose, returnFocus }: GateDialogProps) {
  const t = useWords("attestations");
  const asked = codes.map((code) => gates[code]);
  const kinds = asked.flatMap(({ kind }) => kind ?? []);
  const leave = (tell: () => void) => () => {
    tell();
    // Delayed, because the dialog first returns the focus to the element that opened it.
    setTimeout(() => returnFocus?.(), focusReturnDelayMs);
  };
  const close = leave(onClose);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={asked.length === 1 ? t.text(asked[0]?.title ?? "attestations") : t("attestations")}
      description={t("requiredBeforeRun", { model, count: asked.length })}
    >
      {asked.map(({ title, why }) => (
        <p key={title} className="mb-3 text-base text-ink">
          {t.text(why)}
        </p>
      ))}
      {kinds.length === 0 ? (
        <PerRequestNote onClose={close} />
      ) : (
        <AttestFlow kinds={kinds} onAttested={leave(onAttested)} onClose={close} />
      )}
    </Dialog>
  );
}

/** Explains a confirmation that is never recorded, because each run's form asks for it. */
function PerRequestNote({ onClose }: { onClose: () => void }) {
  const t = useWords("attestations");
  return (
    <div className="space-y-3 text-base text-ink">
      <p>
        {t.rich(
          "tickInTheForm",
          {},
          {
            code: (text) => (
              <code key="field" className="font-mono text-table">
                {text}
              </code>
            ),
          },
        )}
      </p>
      <p className="text-muted">{t("yourConfirmationAppliesToOne")}</p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t("backToForm")}
        </Button>
      </div>
    </div>
  );
}
