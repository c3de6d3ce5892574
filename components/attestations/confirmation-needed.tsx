import { useWords } from "#words";
import { LinkButton } from "@/components/ui/button";

interface ConfirmationNeededProps {
  model: string;
  /** The hidden part. */
  hides?: "output" | "input";
}

/** Replaces the output of a gated model for readers without an attestation. */
export function ConfirmationNeeded({ model, hides = "output" }: ConfirmationNeededProps) {
  const t = useWords("attestations");
  return (
    <p className="text-base text-muted">
      {t("hiddenUntilConfirmed", { hides, model })}{" "}
      <LinkButton href="/attestations">{t("attestations")}</LinkButton>
    </p>
  );
}
