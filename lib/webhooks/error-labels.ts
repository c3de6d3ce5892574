import { deliveryErrorLabels, isDeliveryError } from "#contract/webhook-constants.ts";

/**
 * The short name of an attempt's error. An unknown code is shown unchanged. The page of a delivery shows how
 * to fix each error.
 */
export function errorLabel(code: string): string {
  return isDeliveryError(code) ? deliveryErrorLabels[code] : code;
}
