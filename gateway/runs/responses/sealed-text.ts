import { isRecord } from "#contract/input-schema/json-values.ts";
import { parsed } from "#gateway/models/providers/http/read-body.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { createSealer, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

/**
 * Content that a client keeps for the gateway but cannot read: a model's thoughts, or a compacted
 * conversation.
 */
type SealedKind = "thought" | "compaction";

export interface SealedTexts {
  seal(kind: SealedKind, text: string): string;
  /**
   * Throws `invalid_parameter`, naming `param`, unless this installation sealed it for this account as this
   * kind.
   */
  open(kind: SealedKind, sealed: unknown, param: string): string;
}

const sealers = new WeakMap<RunsContext, Sealer>();

export function sealedTexts(context: RunsContext, accountId: string): SealedTexts {
  const sealer = sealers.get(context) ?? createSealer(context.config, "gatehouse response contents");
  sealers.set(context, sealer);
  const owners = { thought: accountId, compaction: `${accountId} compaction` };
  const opened = (sealed: unknown, owner: string): string | null => {
    const [keyId = "", ciphertext = "", ...more] = typeof sealed === "string" ? sealed.split(".") : [];
    if (more.length > 0) return null;
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
      // Releases up to 0.3.0 sealed compactions with the key for thoughts.
      const earlier = kind === "compaction" ? opened(sealed, owners.thought) : null;
      if (earlier !== null && !isThought(earlier)) return earlier;
      throw invalidParameter(
        param,
        `${param} cannot be opened: it belongs to another kind of item, comes from another account or service, or its secret was retired. Leave the item out.`,
      );
    },
  };
}

function isThought(text: string): boolean {
  return isRecord(parsed(text));
}
