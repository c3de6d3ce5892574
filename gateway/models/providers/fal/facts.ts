import { jobKinds } from "../jobs.ts";
import { type ProtocolFacts, preset } from "../protocol.ts";
import { describeFal, descriptionsOf } from "./describe.ts";

const runs = [...jobKinds];
/** A request that does not exist: asking for its state is free, but needs a valid key. */
const noRequest = "/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status";

export const falFacts: ProtocolFacts = {
  checks: () => [{ path: noRequest, provenBy: [400, 404, 405, 422], success: () => "The queue answers." }],
  listPaths: (base, text) => [
    `${descriptionsOf(base)}/v1/models?limit=100${text ? `&q=${encodeURIComponent(text)}` : ""}`,
  ],
  searches: true,
  describeModel: describeFal,
  servicePaths: false,
  presets: [
    preset({
      id: "fal",
      name: "fal",
      base_url: "https://queue.fal.run",
      key_url: "https://fal.ai/dashboard/keys",
      runs,
    }),
    preset({
      id: "fal-like",
      name: "Another server of fal's API",
      place: "other",
      runs,
    }),
  ],
};
