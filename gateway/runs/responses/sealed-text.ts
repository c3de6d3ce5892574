import type { Context } from "#gateway/context.ts";
import { isRecord, parsed } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { createSealer, type Sealer } from "#gateway/platform/core/console-secret.ts";

/** What a client carries for the gateway and may not read: a model's thoughts, or a conversation that was compacted. */
type SealedKind = "thought" | "compaction";

export interface SealedTexts {
  seal(kind: SealedKind, text: string): string;
  /** Throws `invalid_parameter`, naming `param`, for what this installation and account did not seal as this kind. */
  open(kind: SealedKind, sealed: unknown, param: string): string;
}

const sealers = new WeakMap<Context, Sealer>();

export function sealedTexts(context: Context, accountId: string): SealedTexts {
  const sealer = sealers.get(context) ?? createSealer(context.config, "gatehouse response contents");
  sealers.set(context, sealer);
  const owners = { thought: accountId, compaction: `${accountId} compaction` };
  const opened = (sealed: unknown, owner: string): string | null => {
    const [keyId = "", ciphertext = ""] = typeof sealed === "string" ? sealed.split(".") : [];
    try {
      return sealer.open({ keyId, ciphertext }, owner);
    } catch {
      return null;
    }
  };
  return {
    seal(kind, text) {
      const { keyId, ciphertext } = sealer.seal(text, owners[kind]);
      return `${keyId}.${ciphertext}`;
    },
    open(kind, sealed, param) {
      const own = opened(sealed, owners[kind]);
      if (own !== null && (kind === "compaction" || isThought(own))) return own;
      // Releases up to 0.3.0 sealed a compaction as they seal a thought.
      const earlier = kind === "compaction" ? opened(sealed, owners.thought) : null;
      if (earlier !== null && !isThought(earlier)) return earlier;
      throw new ApiError(
        "invalid_parameter",
        `${param} cannot be opened: it belongs to another kind of item, comes from another account or service, or its secret was retired. Leave the item out.`,
        { param },
      );
    },
  };
}

function isThought(text: string): boolean {
  return isRecord(parsed(text));
}
