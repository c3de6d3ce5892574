import type { Upload } from "#contract/upload.ts";
import { type GatewayResult, localFailure } from "../gateway/result.ts";
import type { UploadOptions } from "./upload-file.ts";

/** The code that sends files, loaded with the first file. */
export const sender = () => import("./upload-file.ts");

/** Sends a file, as `uploadFile` does. */
export async function sendFile(file: File, options: UploadOptions): Promise<GatewayResult<Upload>> {
  try {
    const { uploadFile } = await sender();
    return await uploadFile(file, options);
  } catch {
    return {
      ok: false,
      error: localFailure("offline", "The file could not be uploaded. Check your connection and try again."),
    };
  }
}
