import type { Group } from "./group.ts";
import { aliasGroup } from "./groups/aliases.ts";
import { batchGroup } from "./groups/batches.ts";
import { conversationGroup } from "./groups/conversations.ts";
import { destinationGroup } from "./groups/destinations.ts";
import { endpointGroup } from "./groups/endpoints.ts";
import { keyGroup } from "./groups/keys.ts";
import { memberGroup } from "./groups/members.ts";
import { modelGroup } from "./groups/models.ts";
import { predictionGroup } from "./groups/predictions.ts";
import { presetGroup } from "./groups/presets.ts";
import { providerGroup } from "./groups/providers.ts";
import { uploadGroup } from "./groups/uploads.ts";

/** All that is found, in the order in which it is asked for: what takes longest first. */
export const groups: readonly Group[] = [
  predictionGroup,
  uploadGroup,
  endpointGroup,
  presetGroup,
  conversationGroup,
  batchGroup,
  keyGroup,
  memberGroup,
  aliasGroup,
  destinationGroup,
  modelGroup,
  providerGroup,
];
