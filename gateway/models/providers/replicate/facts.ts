import { recordOf, textOf } from "../http/read-body.ts";
import { jobKinds } from "../jobs.ts";
import { type ProtocolFacts, preset } from "../protocol.ts";
import { describeReplicate } from "./describe.ts";

const runs = [...jobKinds];

export const replicateFacts: ProtocolFacts = {
  checks: () => [
    {
      path: "/account",
      success(body) {
        const name = textOf(recordOf(body).username);
        return name === null ? "The key is good." : `The key belongs to ${name}.`;
      },
    },
    { path: "/models", success: () => "It lists its models." },
  ],
  listPaths: (_, text) => (text ? [`/search?query=${encodeURIComponent(text)}`, "/models"] : ["/models"]),
  searches: true,
  describeModel: describeReplicate,
  servicePaths: false,
  presets: [
    preset({
      id: "replicate",
      name: "Replicate",
      base_url: "https://api.replicate.com/v1",
      key_url: "https://replicate.com/account/api-tokens",
      runs,
    }),
    preset({
      id: "replicate-like",
      name: "Another server of Replicate's API",
      place: "other",
      runs,
    }),
  ],
};
