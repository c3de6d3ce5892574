import dynamic from "next/dynamic";
import type { Prediction } from "#contract/prediction.ts";
import { mediaIn } from "@/lib/schema-form/input-media";
import { inputTitle } from "@/lib/schema-form/input-title";

const InputThumbs = dynamic(() => import("./input-thumbs.tsx").then((module) => module.InputThumbs), {
  ssr: false,
});

const mostThumbs = 4;

/** What the run was asked for, in a line or two: its pictures and the first words of its prompt. */
export function InputSummary({ prediction }: { prediction: Prediction }) {
  const { input, poll_url: pollUrl } = prediction;
  if (!input) return null;
  const [baseUrl = ""] = pollUrl.split("/predictions/", 1);
  const title = inputTitle(input);
  const media = mediaIn(input, baseUrl, mostThumbs);
  if (title === null && media.length === 0) return null;
  return (
    <div className="mb-4 flex min-w-0 flex-wrap items-center gap-3">
      {media.length > 0 && <InputThumbs texts={media} baseUrl={baseUrl} />}
      {title !== null && (
        <p
          className="line-clamp-2 max-w-[90ch] min-w-0 flex-1 basis-64 text-title wrap-anywhere"
          title={title}
        >
          {title}
        </p>
      )}
    </div>
  );
}
