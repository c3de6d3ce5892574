import dynamic from "next/dynamic";
import type { Prediction } from "#contract/prediction.ts";
import { inputTitle } from "@/lib/schema-form/input-title";

const InputThumbs = dynamic(() => import("./input-thumbs.tsx").then((module) => module.InputThumbs), {
  ssr: false,
});

/** Whether an input may name a file that this gateway holds: most have none, and need no code to look for it. */
const hasMedia = /"(?:upload(?:_|:)|data:|[^"]*\/v1\/files\/)/;

/** What the run was asked for, in a line or two: its pictures and the first words of its prompt. */
export function InputSummary({ prediction }: { prediction: Prediction }) {
  const { input, poll_url: pollUrl } = prediction;
  if (!input) return null;
  const [baseUrl = ""] = pollUrl.split("/predictions/", 1);
  const title = inputTitle(input);
  const thumbs = hasMedia.test(JSON.stringify(input));
  if (title === null && !thumbs) return null;
  return (
    <div className="mb-4 flex min-w-0 flex-wrap items-center gap-3">
      {thumbs && <InputThumbs input={input} baseUrl={baseUrl} />}
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
