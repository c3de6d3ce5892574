import type { PresetSummary } from "#contract/presets.ts";
import { makerName } from "../team/maker.ts";

type LabelledVersion = Pick<PresetSummary, "version" | "made_by" | "changed_by">;

/** "version 4, changed by Ada". The time follows in the page. */
export function versionLabel({ version, made_by, changed_by }: LabelledVersion): string {
  const by = makerName(changed_by ?? made_by);
  return `version ${version}, ${version === 1 && !changed_by ? "made" : "changed"}${by ? ` by ${by}` : ""}`;
}
