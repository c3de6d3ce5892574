import { isDeliveryError } from "#contract/webhook-constants.ts";
import type { Words } from "../../messages/words.ts";

/**
 * The short name of an attempt's error. An unknown code is shown unchanged. The page of a delivery shows how
 * to fix each error.
 */
export function errorLabel(t: Words<"webhooks">, code: string): string {
  return isDeliveryError(code) ? t.text(code) : code;
}
