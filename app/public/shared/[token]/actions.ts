"use server";

import type { ReportReceived } from "#contract/reports.ts";
import { type ReportReason, reportReasons } from "#contract/share-constants.ts";
import type { ReportState } from "@/components/shares/report-form";
import { requestShared } from "@/lib/server/gateway/shared";

/** Reports a file of a link; its token is the credential. */
export async function sendReport(token: string, _before: ReportState, form: FormData): Promise<ReportState> {
  const text = (name: string) => String(form.get(name) ?? "");
  const reason: ReportReason | undefined = reportReasons.find((known) => known === text("reason"));
  const sent = { reason: reason ?? "", comment: text("comment"), email: text("email").trim() };
  const body = { ...sent, file: Number(text("file")) || 1 };
  const answer = await requestShared<ReportReceived>(String(token), { path: "/reports", body });
  return answer.ok ? { id: answer.data.id } : { failure: answer.error, sent };
}
