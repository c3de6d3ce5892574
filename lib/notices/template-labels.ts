import type { HookTemplate } from "#contract/notice-constants.ts";

export const templateLabels: Record<HookTemplate, string> = {
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  json: "Plain JSON",
};
