import type { Cause, HookTemplate } from "#contract/notice-constants.ts";
import type { Words } from "../../messages/words.ts";

/** The label of a cause; an unknown cause of a newer gateway is shown by its name. */
export function causeLabel(t: Words<"noticePages">, cause: string): string {
  return t.has(cause) ? t.text(cause) : cause;
}

/** When a notice is sent for the cause, in a few words. */
export function causeHint(t: Words<"noticePages">, cause: Cause): string {
  return t.text(`${cause}Advice`);
}

export function templateLabel(t: Words<"noticePages">, template: HookTemplate): string {
  return { slack: "Slack", discord: "Discord", teams: "Microsoft Teams", json: t("json") }[template];
}
