import { isDeliveryError } from "#contract/webhook-constants.ts";
import type { Words } from "../../messages/words.ts";

/** How to fix an attempt's error. Null for an unknown code. */
export function errorRemedy(t: Words<"webhooks">, code: string): string | null {
  return isDeliveryError(code) ? t.text(`${code}Advice`) : null;
}
