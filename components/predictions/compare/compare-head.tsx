import { RotateCw, X } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { shortenId } from "@/lib/format";
import { playgroundHref, predictionHref } from "../links.ts";
import { PredictionStatus } from "../prediction-status.tsx";
import { compareHref } from "./compare-link.ts";

interface CompareHeadProps {
  prediction: Prediction;
  /** All that are compared, so that this one can be taken out. */
  ids: readonly string[];
}

/** The head of a column: which prediction, how it ended, and what can be done with it. */
export function CompareHead({ prediction, ids }: CompareHeadProps) {
  const { id, model } = prediction;
  return (
    <th scope="col" className="border-b border-l px-3 py-2 text-left align-top font-normal">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className="font-mono font-medium wrap-anywhere">{model}</p>
          <Link
            href={predictionHref(id)}
            title={id}
            className="font-mono text-meta text-accent hover:underline"
          >
            {shortenId(id)}
          </Link>
        </div>
        <Permitted to="operations:run">
          <LinkButton
            size="sm"
            variant="ghost"
            href={playgroundHref(prediction)}
            aria-label={`Tweak and run ${shortenId(id)} again`}
            title="Tweak and run again"
            icon={<RotateCw size={14} aria-hidden />}
          />
        </Permitted>
        <LinkButton
          size="sm"
          variant="ghost"
          href={compareHref(ids.filter((other) => other !== id))}
          aria-label={`Remove ${shortenId(id)} from the comparison`}
          title="Remove"
          icon={<X size={14} aria-hidden />}
        />
      </div>
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-meta text-muted">
        <PredictionStatus status={prediction.status} progress={prediction.progress} />
        <Time value={prediction.created_at} />
      </p>
    </th>
  );
}
