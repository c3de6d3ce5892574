import type { OutputCheck } from "#contract/outputs.ts";
import { maxReceiptBytes } from "#contract/receipts.ts";
import { callRoute } from "@/lib/browser/gateway";
import { uploadFile } from "@/lib/browser/upload-file";
import type { GatewayResult } from "@/lib/gateway/result";

/**
 * Uploads a file, lets the gateway check it, and deletes it. A receipt is sent as text, because no run
 * accepts such a file.
 */
export async function sendCheck(file: File): Promise<GatewayResult<OutputCheck>> {
  if (/\.json$/i.test(file.name) && file.size <= maxReceiptBytes)
    return callRoute("POST /outputs/verify", { body: { receipt: await file.text() } });
  const upload = await uploadFile(file);
  if (!upload.ok) return upload;
  const { id, reference } = upload.data;
  try {
    return await callRoute("POST /outputs/verify", { body: { upload: reference } });
  } finally {
    void callRoute("DELETE /uploads/{id}", { params: { id } });
  }
}
