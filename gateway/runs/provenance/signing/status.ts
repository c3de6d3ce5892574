import { type SigningStatus, type SigningTrial, signingTrials } from "#contract/operator/signing.ts";
import { signableTypes } from "#contract/output-constants.ts";
import type { Context } from "#gateway/context.ts";
import type { Made } from "./claim.ts";
import type { Signer } from "./signer.ts";

/** A picture of one pixel; signing it shows whether signing works. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const trial: Made = { model: "trial", engine: "pictures", sandbox: true, inputs: [] };

/** Whether outputs are signed, with which certificate, and whether signing works now. */
export async function signingStatus({ signer }: Context): Promise<SigningStatus> {
  const common = { object: "signing_status" as const, content_types: [...signableTypes] };
  if (!signer)
    return { ...common, configured: false, certificate: null, problem: null, trial: null, trial_error: null };
  const { certificate, problem } = await signer.current();
  return {
    ...common,
    configured: true,
    certificate: {
      subject: certificate.subject,
      issuer: certificate.issuer,
      algorithm: certificate.algorithm,
      valid_from: certificate.validFrom.toISOString(),
      expires_at: certificate.expiresAt.toISOString(),
    },
    problem,
    ...(await tried(signer)),
  };
}

async function tried(signer: Signer): Promise<Pick<SigningStatus, "trial" | "trial_error">> {
  const file = { contentType: "image/png", sizeBytes: pixel.length, bytes: async () => pixel };
  const outcome = await signer.attempt(file, trial);
  if (typeof outcome === "object" && outcome.state === "failed")
    return { trial: "failed", trial_error: outcome.error };
  const result = typeof outcome === "object" ? outcome.state : outcome;
  return { trial: isTrial(result) ? result : "failed", trial_error: null };
}

function isTrial(result: string): result is SigningTrial {
  return signingTrials.some((known) => known === result);
}
