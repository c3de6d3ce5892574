import type { PresetSummary } from "#contract/presets.ts";
import { inAccount } from "../account-path.ts";

/** The playground with a preset as its input. */
export function presetHref({ id, model, api_type: apiType }: PresetSummary): string {
  return `/playground/${model}/${apiType}?from=${id}`;
}

/** What a colleague opens: it names the account, for those who have several. */
export function sharedAddress(origin: string, accountId: string, id: string): string {
  return `${origin}${inAccount(accountId, `/presets/${id}`)}`;
}
