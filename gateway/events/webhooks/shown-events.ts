import type { AttestationKind } from "#contract/attestations.ts";
import type { FeedEvent } from "#contract/event-types.ts";
import type { Response } from "#contract/responses.ts";
import type { Attester } from "#gateway/access/accounts/attestations/gates.ts";
import type { Context } from "#gateway/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";

type EventObject = Record<string, unknown>;

export interface ShownEvent {
  event: FeedEvent;
  /** The attestation that the reader lacks, because of which the event is shown without its outputs. */
  gated: AttestationKind | null;
}

/**
 * Events as an API reader may see them, made from their stored bodies, in the given order. The stored bodies
 * are complete: the account's registered endpoints get them.
 */
export async function shownEvents(
  context: Pick<Context, "catalog" | "database">,
  reader: Attester,
  bodies: readonly string[],
): Promise<ShownEvent[]> {
  const events = bodies.map((body) => enveloped(JSON.parse(body)));
  const clearance = await Clearance.of(
    context,
    reader,
    events.flatMap((event) => modelOf(event) ?? []),
  );
  return events.map((event) => {
    const model = modelOf(event);
    const gated = model === null ? null : clearance.missing(model);
    return { event: gated === null ? event : withoutOutput(event, gated), gated };
  });
}

/** A callback in Replicate's shape has the prediction alone as its body. */
function enveloped(body: FeedEvent | EventObject): FeedEvent {
  if (body.object === "event") return body as FeedEvent;
  return { type: "prediction.callback", data: { object: body } } as unknown as FeedEvent;
}

/** The model whose output the event contains; null if it contains none. */
function modelOf({ type, data }: FeedEvent): string | null {
  return /^(prediction|response)\./.test(type) ? String(data?.object.model) : null;
}

function withoutOutput(event: FeedEvent, gated: AttestationKind): FeedEvent {
  const object = event.data?.object ?? {};
  const hidden = event.type.startsWith("prediction.")
    ? hiddenPrediction(object, gated)
    : hiddenResponse(object as Response, gated);
  return { ...event, data: { object: hidden } };
}

function hiddenPrediction(prediction: EventObject, gated: AttestationKind): EventObject {
  const files = Array.isArray(prediction.data) ? (prediction.data as EventObject[]) : null;
  const data = files?.map((file) => ({ ...file, url: null, preview_url: null, gated })) ?? null;
  return { ...prediction, output: null, data, gated };
}

/** A response with the chat's texts removed, for a reader who lacks an attestation. */
export function hiddenResponse(response: Response, gated: AttestationKind): Response {
  return { ...response, instructions: null, output: [], gated };
}
