import { TraceFlags } from "@opentelemetry/api";
import type { Place } from "../span.ts";
import type { Id } from "./id.ts";

/** Whether a span is recorded. */
export type Sampler = (parent: Place | undefined, trace: Id) => boolean;

const always: Sampler = () => true;
const never: Sampler = () => false;

/** The samplers that OpenTelemetry names; null for another. */
export function samplerOf(name = "parentbased_always_on", argument = "1"): Sampler | null {
  const ratio = Number(argument);
  if (!(ratio >= 0 && ratio <= 1)) return null;
  const roots = new Map([
    ["always_on", always],
    ["always_off", never],
    ["traceidratio", byRatio(ratio)],
  ]);
  const root = roots.get(name.replace(/^parentbased_/, ""));
  if (!root) return null;
  return name.startsWith("parentbased_") ? asParent(root) : root;
}

function asParent(root: Sampler): Sampler {
  return (parent, trace) => (parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : root(parent, trace));
}

/** The same traces in every process, and the same as the SDK takes. */
function byRatio(ratio: number): Sampler {
  const below = ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1));
  return (_parent, { bytes, at, length }) => {
    let folded = 0;
    for (let place = at; place < at + length; place += 4) folded ^= bytes.readInt32BE(place);
    return folded >>> 0 < below;
  };
}
