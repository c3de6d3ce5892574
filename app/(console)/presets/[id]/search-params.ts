import { createLoader, parseAsInteger } from "nuqs/server";

/** The two versions that are compared. */
const presetSearchParams = { from: parseAsInteger, to: parseAsInteger };

export const loadPresetSearchParams = createLoader(presetSearchParams);
