import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { createSealer, type Sealer } from "#gateway/core/master-secret.ts";

/** Seals what a client carries for the gateway and may not read: a model's thoughts, and a conversation that was compacted. */
export interface SealedTexts {
  seal(text: string): string;
  /** Throws `invalid_parameter`, naming `param`, for what this installation and account did not seal. */
  open(sealed: unknown, param: string): string;
}

const sealers = new WeakMap<Context, Sealer>();

export function sealedTexts(context: Context, accountId: string): SealedTexts {
  const sealer = sealers.get(context) ?? createSealer(context.config, "gatehouse response contents");
  sealers.set(context, sealer);
  return {
    seal(text) {
      const { keyId, ciphertext } = sealer.seal(text, accountId);
      return `${keyId}.${ciphertext}`;
    },
    open(sealed, param) {
      const [keyId = "", ciphertext = ""] = typeof sealed === "string" ? sealed.split(".") : [];
      try {
        return sealer.open({ keyId, ciphertext }, accountId);
      } catch {
        throw new ApiError(
          "invalid_parameter",
          `${param} cannot be opened: it comes from another account or service, or its secret was retired. Leave the item out.`,
          { param },
        );
      }
    },
  };
}
