import { LinkButton } from "@/components/ui/button";

interface ConfirmationNeededProps {
  model: string;
  /** What is hidden; "output" by default. */
  hides?: string;
}

/** Shown instead of the output of a gated model to readers without an attestation. */
export function ConfirmationNeeded({ model, hides = "output" }: ConfirmationNeededProps) {
  return (
    <p className="text-base text-muted">
      The {hides} of {model} is hidden until you confirm what this model requires. For a service key, its
      responsible person confirms. <LinkButton href="/attestations">Attestations</LinkButton>
    </p>
  );
}
