import { deliveryErrorLabels, isDeliveryError } from "#contract/webhook-constants.ts";

/**
 * The short name of an attempt's error. An unknown code is shown unchanged. remedies.ts has the ways to fix
 * it.
 */
export function errorLabel(code: string): string {
  return isDeliveryError(code) ? deliveryErrorLabels[code] : code;
}
