import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { SandboxFailure } from "../failure.ts";
import type { AssignedMedia } from "../jobs/folder.ts";
import type { Task } from "../jobs/spec.ts";
import { planEdit, planSwap } from "./edits.ts";
import { planPictures } from "./pictures.ts";
import { planVideo } from "./videos.ts";

/** The job of an async operation. Throws SandboxFailure for an invalid input. */
export function planAsync(request: ProviderRequest): { task: Task; media: AssignedMedia[] } {
  switch (request.engine) {
    case "pictures":
      return { task: planPictures(request), media: [] };
    case "edit":
      return planEdit(request);
    case "swap-face":
    case "swap-head":
      return planSwap(request);
    case "video":
    case "video-edit":
    case "animate":
    case "upscale":
      return planVideo(request);
    default:
      throw new SandboxFailure(
        "operation_not_supported",
        `The sandbox does not run ${request.operation.id} as a job.`,
      );
  }
}
