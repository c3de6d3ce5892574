import { LinkButton } from "@/components/ui/button";

interface ConfirmationNeededProps {
  model: string;
  /** What is hidden: its output, unless another word is given. */
  hides?: string;
}

/** Stands where the output of a gated model would be, for a reader who lacks an attestation. */
export function ConfirmationNeeded({ model, hides = "output" }: ConfirmationNeededProps) {
  return (
    <p className="text-base text-muted">
      The {hides} of {model} is hidden until you confirm what this model requires. For a service key, the
      person responsible for it confirms. <LinkButton href="/attestations">Attestations</LinkButton>
    </p>
  );
}
