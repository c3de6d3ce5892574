"use server";

import { redirect } from "next/navigation";
import type { ReportReceived } from "#contract/reports.ts";
import { type ReportReason, reportReasons } from "#contract/share-constants.ts";
import type { ReportState } from "@/components/shares/report-form";
import { requestShared } from "@/lib/server/gateway/shared";

/**
 * Reports a file of a link; its token is the credential. A sent report leads to the page that says so, also without scripts;
 * a refused one returns to the form.
 */
export async function sendReport(token: string, _before: ReportState, form: unknown): Promise<ReportState> {
  // Anybody can call an action with anything.
  const fields = form instanceof FormData ? form : new FormData();
  const text = (name: string) => String(fields.get(name) ?? "");
  const reason: ReportReason | undefined = reportReasons.find((known) => known === text("reason"));
  const body = {
    file: Number(text("file")) || 1,
    reason: reason ?? "",
    comment: text("comment"),
    email: text("email").trim(),
  };
  const answer = await requestShared<ReportReceived>(String(token), { path: "/reports", body });
  if (!answer.ok) return { failure: answer.error, sent: body };
  redirect(`/public/shared/${token}?reported=${answer.data.id}#report`);
}
