import { LinkButton } from "@/components/ui/button";

interface ConfirmationNeededProps {
  model: string;
  /** The hidden part: "output" by default. */
  hides?: string;
}

/** Replaces the output of a gated model for readers without an attestation. */
export function ConfirmationNeeded({ model, hides = "output" }: ConfirmationNeededProps) {
  return (
    <p className="text-base text-muted">
      The {hides} of {model} is hidden until you confirm what this model requires. For a service key, its
      responsible person confirms. <LinkButton href="/attestations">Attestations</LinkButton>
    </p>
  );
}
