import { deliveryErrorLabels, isDeliveryError } from "#contract/webhook-constants.ts";

/** The short name of an attempt's error; an unknown code is shown as it is. How to fix it is in remedies.ts. */
export function errorLabel(code: string): string {
  return isDeliveryError(code) ? deliveryErrorLabels[code] : code;
}
